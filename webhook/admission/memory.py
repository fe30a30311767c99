"""What was ruled on pods that were alike: those of one ReplicaSet or Job differ in nothing but their names.

A ruling on the CREATE of a pod rests on its spec, labels and annotations, and on nothing else of it; so the
pods of a workload are examined once, and the others get the same ruling under their own names.
"""

import re
from hashlib import sha256

from webhook.admission.heads import PodHead
from webhook.admission.reply import Ruling
from webhook.admission.scope import Endpoint

# At about 1 KiB a ruling; the pods of as many workloads are remembered, the oldest is forgotten first.
REMEMBERED_RULINGS = 1024
# The API server draws a name for the volume of each pod's token (plugin/pkg/admission/serviceaccount). It is left
# out where it names a mount or a volume, as written there: the same text may be the name of a container.
_TOKEN_VOLUME = re.compile(rb'"name":"kube-api-access-[a-z0-9]{5}"(?=,"(?:readOnly|projected)")')


class Memory:
    """A bounded memory of rulings, by digests of what they rest on.

    Of a pod outlives its review only what is answered for it: the values that findings quote, and the patch.
    SHA-256, because processors compute it in hardware and nobody can make two pods share a digest.
    """

    def __init__(self, size: int = REMEMBERED_RULINGS) -> None:
        """Remember as many rulings as `size` says, 0 for none."""
        self._size = size
        self._rulings: dict[bytes, Ruling] = {}

    def key(self, endpoint: Endpoint, head: PodHead) -> bytes:
        """Return what a ruling on this pod is remembered by."""
        labels, annotations = bytes(head.metadata.labels), bytes(head.metadata.annotations)
        spec = _TOKEN_VOLUME.sub(b'"name":""', bytes(head.spec))
        about = f"{endpoint},{len(labels)},{len(annotations)},".encode()
        return sha256(b"".join((about, labels, annotations, spec))).digest()

    def recall(self, key: bytes) -> Ruling | None:
        """Return what was ruled, None where it is not known."""
        return self._rulings.get(key)

    def keep(self, key: bytes, ruling: Ruling) -> None:
        """Remember a ruling, and forget the oldest where there is no room."""
        if len(self._rulings) >= self._size:
            if not self._rulings:
                return
            del self._rulings[next(iter(self._rulings))]
        self._rulings[key] = ruling
