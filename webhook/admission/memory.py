"""What was ruled on pods that were alike: those of one ReplicaSet or Job differ in nothing but their names.

A ruling on the CREATE of a pod rests on its spec, labels and annotations, and on nothing else of it; so the
pods of a workload are examined once, and the others get the same ruling under their own names.
"""

from hashlib import sha256

from webhook.admission.reply import Ruling
from webhook.admission.scope import Endpoint

# At about 1 KiB a ruling; the pods of as many workloads are remembered, the oldest is forgotten first.
REMEMBERED_RULINGS = 1024
# A ruling that tells of a thousand containers, or quotes a key of a megabyte, is worked out each time instead: as many
# of them as are remembered would take gigabytes.
_LARGEST_RULING = 16 << 10
_FINDING_BYTES = 1 << 10
# The API server draws a name for the volume of each pod's token, this and five characters (plugin/pkg/admission/serviceaccount).
# It is left out where it names a mount or a volume, as written there: the same text may be the name of a container.
_TOKEN_VOLUME = b'"name":"kube-api-access-'
_DRAWN_BYTES = 5
_AFTER_THE_NAME = (b'","readOnly"', b'","projected"')


class Memory:
    """A bounded memory of rulings, by digests of what they rest on.

    Of a pod outlives its review only what is answered for it: the values that findings quote, and the patch.
    SHA-256, because processors compute it in hardware and nobody can make two pods share a digest.
    """

    def __init__(self, size: int = REMEMBERED_RULINGS) -> None:
        """Remember as many rulings as `size` says, 0 for none."""
        self._size = size
        self._rulings: dict[bytes, Ruling] = {}

    def key(self, endpoint: Endpoint, labels: bytes, annotations: bytes, spec: bytes) -> bytes:
        """Return what a ruling on a pod is remembered by; its parts are JSON."""
        about = f"{endpoint},{len(labels)},{len(annotations)},".encode()
        return sha256(b"".join((about, labels, annotations, _without_drawn_names(spec)))).digest()

    def recall(self, key: bytes) -> Ruling | None:
        """Return what was ruled, None where it is not known."""
        return self._rulings.get(key)

    def keep(self, key: bytes, ruling: Ruling) -> None:
        """Remember a ruling that is not too large for it, and forget the oldest where there is no room."""
        if _size_of(ruling) > _LARGEST_RULING:
            return
        if len(self._rulings) >= self._size:
            if not self._rulings:
                return
            del self._rulings[next(iter(self._rulings))]
        self._rulings[key] = ruling


def _without_drawn_names(spec: bytes) -> bytes:
    first, *others = spec.split(_TOKEN_VOLUME)
    parts = [first]
    for other in others:
        if other.startswith(_AFTER_THE_NAME, _DRAWN_BYTES):
            parts += (b'"name":"', other[_DRAWN_BYTES:])
        else:
            parts += (_TOKEN_VOLUME, other)
    return b"".join(parts)


def _size_of(ruling: Ruling) -> int:
    """Return about how many bytes a ruling takes: its findings hold texts and a path each, and causes repeat them."""
    size = len(ruling.patch or b"")
    for finding in ruling.findings:
        size += _FINDING_BYTES + 2 * (len(finding.message) + len(finding.hint)) + sum(len(str(part)) for part in finding.path.parts)
    return size
