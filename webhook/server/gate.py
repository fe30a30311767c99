"""What all connections of a server share: its limits, its desk, and whether it is about to stop."""

import re
import time
from dataclasses import dataclass, field
from typing import NamedTuple

from webhook.admission.scope import ENDPOINTS, Endpoint
from webhook.server.desk import Desk
from webhook.server.metrics import Counters
from webhook.server.replies import Reply, overload_error

# The API server writes whole seconds ("10s"); Go's other spellings of a duration are tolerated.
_TIMEOUT = re.compile(rb"(?:^|&)timeout=([0-9]{1,6}(?:\.[0-9]{1,6})?)(ms|s|m|h)(?:&|$)")
_SECONDS = {b"ms": 0.001, b"s": 1.0, b"m": 60.0, b"h": 3600.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one server bears. Spans of time are seconds, sizes bytes.

    `body_bytes` is 7 MiB by default: etcd refuses a request over 1.5 MiB and kube-apiserver a body over 3 MiB, an
    UPDATE carries the old object beside the new one, and JSON's escapes make a review larger than what was stored.
    """

    body_bytes: int
    connections: int
    in_flight: int
    head_seconds: float
    body_seconds: float
    idle_seconds: float
    head_bytes: int = 64 << 10
    # All bodies that are being read at a time: eight of the largest fit, and a pod with a limit of 256 MiB does not burst.
    buffered_bytes: int = 64 << 20
    client_names: frozenset[str] = frozenset()


# Those of an API server take some 250 bytes. Longer ones are parsed each time: as many as are remembered, each as long as
# a head may be, would take all the memory of a pod.
_LONGEST_KNOWN_HEAD_BYTES = 1 << 10


class KnownHead(NamedTuple):
    """What a head of a request says that was read before; `body_bytes` is the length of the body behind it."""

    endpoint: Endpoint
    time_limit: float | None
    body_bytes: int


class KnownHeads:
    """A bounded memory of heads: those of one API server differ in nothing but the path and the length of the body."""

    def __init__(self, size: int = 4096) -> None:
        """Remember as many heads as `size` says."""
        self._size = size
        self._heads: dict[bytes, KnownHead] = {}
        self.get = self._heads.get

    def keep(self, head: bytes, known: KnownHead) -> None:
        """Remember a head that is not too long for it, and forget the oldest where there is no room."""
        if len(head) > _LONGEST_KNOWN_HEAD_BYTES:
            return
        if len(self._heads) >= self._size:
            del self._heads[next(iter(self._heads))]
        self._heads[head] = known


@dataclass(slots=True)
class Gate:
    """The state of a server that its connections see. `last_request` is on the monotonic clock, `buffered` in bytes."""

    limits: Limits
    desk: Desk
    counters: Counters
    draining: bool = False
    buffered: int = 0
    last_request: float = field(default_factory=time.monotonic)
    known_heads: KnownHeads = field(default_factory=KnownHeads)
    endpoints: dict[bytes, Endpoint] = field(default_factory=lambda: {f"/{endpoint}".encode(): endpoint for endpoint in ENDPOINTS})

    def shed(self, cap: str) -> Reply:
        """Count a request beyond a cap and return what it is answered with."""
        self.counters.add(self.counters.shed, (cap,))
        return overload_error()


def time_limit(query: bytes) -> float | None:
    """Return the caller's time limit in seconds, from `timeout=10s`; None where there is none or it is unreadable."""
    match = _TIMEOUT.search(query) if query else None
    return float(match[1]) * _SECONDS[match[2]] if match else None


def is_plain_json(content_type: bytes, content_encoding: bytes) -> bool:
    """Say whether a body is JSON as it is; parameters such as a charset are tolerated."""
    if content_encoding not in (b"", b"identity"):
        return False
    return content_type == b"application/json" or content_type.partition(b";")[0].strip().lower() == b"application/json"
