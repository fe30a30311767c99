"""What is read of a pod before it is decoded: its names, and the bytes that a ruling on it rests on."""

import msgspec

_NOTHING = msgspec.Raw(b"")


class MetadataHead(msgspec.Struct, rename="camel", gc=False):
    """Names of an object, and its labels and annotations as bytes."""

    name: str = ""
    generate_name: str = ""
    labels: msgspec.Raw = _NOTHING
    annotations: msgspec.Raw = _NOTHING


class PodHead(msgspec.Struct, rename="camel", gc=False):
    """Names of a pod, and the bytes of all that a verdict on its creation rests on."""

    kind: str
    api_version: str
    metadata: MetadataHead
    spec: msgspec.Raw


_decoder = msgspec.json.Decoder(PodHead)


def read_pod_head(raw: msgspec.Raw) -> PodHead | None:
    """Decode the head of a pod, None where the bytes are not shaped like a pod."""
    try:
        return _decoder.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return None
