"""One HTTP connection under limits: how long it may take, how it is refused, how it ends.

A subclass of uvicorn's protocol that relies on its parser callbacks, `cycle`, `pipeline` and `connections`.
"""

import time
from collections.abc import Iterable, Iterator, Mapping
from http import HTTPStatus
from typing import Any, ClassVar

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from webhook.server.gate import Gate
from webhook.server.replies import Reply, as_http, error_reply, head_error

# What a connection is waiting for: a request, the rest of its head, of its body, the application's answer,
# or the client's end of it after a refusal. Plain numbers, because they are compared for every packet.
IDLE, HEAD, BODY, APPLICATION, LINGERING = range(5)
# How long a client that was refused may go on sending before the connection is cut: closed at once, the
# kernel would answer its next packet with a reset, and the reply might be lost.
LINGER_SECONDS = 0.5
# So many more connections than there may be are told so; the next ones are cut, since each takes a file descriptor.
_MOST_REFUSED = 64


class Connection(HttpToolsProtocol):
    """A connection that is watched. `gate` is set by a subclass for each server."""

    gate: ClassVar[Gate]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Take what uvicorn's protocol takes."""
        super().__init__(*args, **kwargs)
        self.phase = IDLE
        self.since = time.monotonic()
        self.time_limit: float | None = None
        # Bytes of the request under way: of its head while that is incomplete, then of its body.
        self.size = 0
        self.refusal: Reply | None = None

    def connection_made(self, transport: Any) -> None:
        """Note whether requests are to be refused: one connection too many, or an unexpected client."""
        super().connection_made(transport)
        limits = self.gate.limits
        self.gate.counters.connections += 1
        if len(self.connections) > limits.connections:
            self.refusal = self.gate.shed("connections")
            if len(self.connections) > limits.connections + _MOST_REFUSED:
                transport.abort()
        elif limits.client_names and limits.client_names.isdisjoint(_names_of(transport.get_extra_info("peercert") or {})):
            self.refusal = error_reply(HTTPStatus.FORBIDDEN, "the client's certificate must be made out to an allowed name")

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget what was begun."""
        self.gate.counters.connections -= 1
        self.enter(IDLE)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Feed the parser; what it cannot read is answered in JSON."""
        if self.timeout_keep_alive_task is not None:
            self._unset_keepalive_if_required()
        if self.phase == IDLE:
            self.enter(HEAD)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            return  # refused when the head was complete
        except httptools.HttpParserError:
            self.refuse(error_reply(HTTPStatus.BAD_REQUEST, "must be HTTP/1.1"))
        if self.phase == HEAD:
            self.size += len(data)
            if self.size > self.gate.limits.head_bytes:
                self.refuse(head_error(self.gate.limits.head_bytes))

    @property
    def application_is_busy(self) -> bool:
        """Say whether the application still owes an answer on this connection."""
        cycle: RequestResponseCycle | None = self.cycle  # None before the first request, whatever its annotation says
        return cycle is not None and not cycle.response_complete

    def enter(self, phase: int) -> None:
        """Change what is waited for, and since when."""
        was_open, is_open = BODY <= self.phase <= APPLICATION, BODY <= phase <= APPLICATION
        if was_open is not is_open:
            self.gate.counters.in_flight += 1 if is_open else -1
        if self.size:
            if self.phase == BODY:
                self.gate.buffered -= self.size
            self.size = 0
        self.phase = phase
        self.since = time.monotonic()

    def refuse(self, reply: Reply) -> None:
        """Answer at once, then ignore what still comes until the request is over or the patience is."""
        if self.phase == LINGERING or self.transport.is_closing():
            return
        if self.pipeline:
            self.transport.abort()  # an answer now would be taken for that to a request before
            return
        self.transport.write(as_http(self.gate.desk.refuse(reply), close=True))
        if self.application_is_busy:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.enter(LINGERING)

    def excuse(self, now: float, stalled: float) -> None:
        """Do not hold against a client that the server itself did not run for so many seconds."""
        self.since = min(now, self.since + stalled)

    def expire(self, now: float) -> None:
        """Act on a connection that has waited too long; called a few times a second."""
        waited, limits = now - self.since, self.gate.limits
        idle_seconds = limits.head_seconds if self.refusal else limits.idle_seconds
        if (self.phase == IDLE and waited > idle_seconds) or (self.phase == LINGERING and waited > LINGER_SECONDS):
            self.transport.close()
        elif self.phase == HEAD and waited > limits.head_seconds:
            self.refuse(error_reply(HTTPStatus.REQUEST_TIMEOUT, f"the head must arrive within {limits.head_seconds:g} s"))
        elif self.phase == BODY and waited > (allowed := min(limits.body_seconds, self.time_limit or limits.body_seconds)):
            self.refuse(error_reply(HTTPStatus.REQUEST_TIMEOUT, f"the body must arrive within {allowed:g} s"))

    def shutdown(self) -> None:
        """Close where nothing is under way; whatever is closes after its answer."""
        if self.phase in (IDLE, LINGERING):
            self.transport.close()

    def pause_writing(self) -> None:
        """Stop reading from a client that does not read its answers."""
        super().pause_writing()
        self.flow.pause_reading()

    def resume_writing(self) -> None:
        """Read again."""
        super().resume_writing()
        self.flow.resume_reading()


def _names_of(certificate: Mapping[str, Any]) -> Iterator[str]:
    """Yield the common names and DNS names of a client's certificate, as `SSLSocket.getpeercert` gives it."""
    subject: Iterable[tuple[tuple[str, str], ...]] = certificate.get("subject", ())
    yield from (value for part in subject for name, value in part if name == "commonName")
    yield from (value for name, value in certificate.get("subjectAltName", ()) if name == "DNS")
