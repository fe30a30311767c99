"""What is read of the review of a new pod before the pod is decoded: its names, and the bytes that a ruling rests on."""

from typing import Any

import msgspec

from webhook.admission.errors import BadReviewError
from webhook.admission.wire import KIND, VERSIONS, Pod, RequestHead, explained

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

    @property
    def is_plain(self) -> bool:
        """Say whether an object says itself that it is a pod, and has metadata with a name in it."""
        metadata = self.metadata
        return self.kind == "Pod" and self.api_version == "v1" and bool(metadata.name or metadata.generate_name)


class PodRequest(RequestHead, rename="camel", gc=False, kw_only=True):
    """An AdmissionRequest about an object that has the shape of a pod."""

    object: PodHead


class PodReview(msgspec.Struct, rename="camel", gc=False):
    """An AdmissionReview about an object that has the shape of a pod: what most are, decoded in one go."""

    api_version: str
    kind: str
    request: PodRequest


class _WholePodRequest(msgspec.Struct, gc=False):
    object: Pod


class _WholePodReview(msgspec.Struct, gc=False):
    request: _WholePodRequest


_decoder = msgspec.json.Decoder(PodReview)
_whole_decoder = msgspec.json.Decoder(_WholePodReview)


def read_new_pod(body: bytes) -> PodReview | None:
    """Decode the review of the CREATE of a pod, None for any other body: what that is worth, `read_review` says."""
    try:
        review = _decoder.decode(body)
        if not body.isascii():
            body.decode()
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return review if review.kind == KIND and review.api_version in VERSIONS and _is_new_pod(review.request) else None


def _is_new_pod(request: PodRequest) -> bool:
    kind = request.kind
    is_pod = kind.kind == "Pod" and not kind.group and not request.sub_resource
    return is_pod and request.operation == "CREATE" and request.uid != "" and request.object.is_plain


def read_pod(body: bytes, uid: str) -> dict[str, Any]:
    """Decode the pod of a review that `read_new_pod` has taken."""
    try:
        return {**_whole_decoder.decode(body).request.object}
    except (msgspec.DecodeError, RecursionError) as problem:
        raise BadReviewError(explained(problem), uid) from None
