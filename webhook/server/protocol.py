"""HTTP on one connection: reviews are answered at once, everything else goes to the ASGI application.

A task, a scope and three events for each request, as uvicorn makes them, cost more than all of percard's own
work. A test compares the answers of this lane with those of the ASGI application. And an API server writes the
same head again and again: one that was parsed before is not parsed again.
"""

import time
from collections.abc import Mapping
from typing import Any

from webhook.admission.scope import Endpoint
from webhook.server.connection import APPLICATION, BODY, HEAD, IDLE, LINGERING, Connection
from webhook.server.gate import Gate, KnownHead, is_plain_json, time_limit
from webhook.server.replies import Reply, as_http, size_error, type_error, upgrade_error

_END_OF_HEAD = b"\r\n\r\n"
_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class AdmissionProtocol(Connection):
    """A connection with a short way for reviews."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Take what uvicorn's protocol takes."""
        super().__init__(*args, **kwargs)
        self._endpoint: Endpoint | None = None
        self._body: bytes | bytearray = b""
        # What the head under way says, where nothing but its bytes decides how the request is read.
        self._known: KnownHead | None = None

    def data_received(self, data: bytes) -> None:
        """Answer a review that came whole behind a known head; all else is for the parser."""
        if self.phase != IDLE:
            super().data_received(data)
            return
        head = data[: data.find(_END_OF_HEAD) + len(_END_OF_HEAD)]
        known = self.gate.known_heads.get(head)
        if known is not None and len(head) + known.body_bytes == len(data) and self._is_welcome():
            self.since = self.gate.last_request = time.monotonic()
            reply = self.gate.desk.answer(known.endpoint, data[len(head) :], known.time_limit)
            self.transport.write(as_http(reply, close=False))
            return
        super().data_received(data)
        if self.phase == IDLE and self._known is not None and len(head) + self._known.body_bytes == len(data):
            self.gate.known_heads.keep(head, self._known)

    def _is_welcome(self) -> bool:
        gate = self.gate
        return self.refusal is None and not gate.draining and gate.counters.in_flight < gate.limits.in_flight

    def on_message_begin(self) -> None:
        """Start a request; what uvicorn does here is done where it takes over."""
        if self.phase == IDLE:
            self.enter(HEAD)  # behind another request in one packet
        self.url = b""
        self.headers = []
        self._endpoint = self._known = None

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header."""
        self.headers.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        """Decide who answers, and refuse at once what will not be answered."""
        if self.phase == LINGERING:
            return
        self.gate.last_request = time.monotonic()
        path, _, query = self.url.partition(b"?")
        endpoint = self.gate.endpoints.get(path)
        headers = dict(self.headers)
        if self.application_is_busy:
            self._hand_over()  # a pipelined request has to wait for its turn
        elif self.refusal is not None:
            self.refuse(self.refusal)
        elif self.parser.should_upgrade():
            self.refuse(upgrade_error())
        elif self.gate.counters.in_flight >= self.gate.limits.in_flight:
            self.refuse(self.gate.shed("in_flight"))
        elif int(headers.get(b"content-length", b"0")) > self.gate.limits.body_bytes:
            self.refuse(size_error(self.gate.limits.body_bytes))
        elif endpoint is None or self.parser.get_method() != b"POST":
            self._hand_over()
        else:
            self._begin(endpoint, query, headers)

    def _begin(self, endpoint: Endpoint, query: bytes, headers: Mapping[bytes, bytes]) -> None:
        if not is_plain_json(headers.get(b"content-type", b""), headers.get(b"content-encoding", b"")):
            self.refuse(type_error())
        else:
            self.enter(BODY)
            self._endpoint, self.time_limit, self._body = endpoint, time_limit(query), b""
            if b"expect" in headers:
                self.transport.write(_CONTINUE)
            elif b"content-length" in headers:
                self._known = KnownHead(endpoint, self.time_limit, int(headers[b"content-length"]))

    def _hand_over(self) -> None:
        """Let uvicorn run the ASGI application for this request."""
        url, headers = self.url, self.headers
        self.enter(BODY)
        self.time_limit = None
        super().on_message_begin()
        super().on_url(url)
        for name, value in headers:
            super().on_header(name, value)
        super().on_headers_complete()
        if self.gate.draining:
            self.cycle.keep_alive = False

    def on_body(self, body: bytes) -> None:
        """Keep a part of a review, or hand it over, up to the limit."""
        if self.phase == LINGERING:
            return
        if self._endpoint is None:
            super().on_body(body)
        elif not self._body:
            self._body = body
        else:
            self._body = bytearray(self._body) if isinstance(self._body, bytes) else self._body
            self._body += body
        self.size += len(body)
        self.gate.buffered += len(body)
        limits = self.gate.limits
        if self.size > limits.body_bytes:
            self._give_up(size_error(limits.body_bytes))
        elif self.gate.buffered > limits.buffered_bytes:
            self._give_up(self.gate.shed("buffered_bytes"))

    def _give_up(self, reply: Reply) -> None:
        self._body = b""
        self.refuse(reply)

    def on_message_complete(self) -> None:
        """Answer a review."""
        if self.phase == LINGERING:
            self.transport.close()
        elif self._endpoint is not None:
            self._answer(self._endpoint)
        else:
            super().on_message_complete()
            if self.phase == BODY:
                self.enter(APPLICATION)

    def _answer(self, endpoint: Endpoint) -> None:
        body = bytes(self._body)
        self._body = b""
        reply = self.gate.desk.answer(endpoint, body, self.time_limit)
        close = self.gate.draining or not self.parser.should_keep_alive()
        self.transport.write(as_http(reply, close=close))
        if close:
            self.enter(LINGERING)
            self.transport.close()
        else:
            self.enter(IDLE)

    def on_response_complete(self) -> None:
        """Wait for the next request after an answer of the application."""
        super().on_response_complete()
        if not self.application_is_busy:
            self.enter(IDLE)


def protocol_for(server_gate: Gate) -> type[AdmissionProtocol]:
    """Return the protocol class of one server."""

    class Bound(AdmissionProtocol):
        gate = server_gate

    return Bound
