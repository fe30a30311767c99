"""The ASGI application: the same reviews the long way, JSON errors, and the API behind them where it is on."""

from collections.abc import Awaitable, Callable, MutableMapping
from http import HTTPStatus
from typing import Any

from webhook.server.desk import Desk
from webhook.server.gate import Gate, is_plain_json, time_limit
from webhook.server.replies import Reply, error_reply, method_error, type_error

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]


class GoneError(Exception):
    """The client went away while its body was being read."""


async def not_found(_: Message, __: Receive, send: Send) -> None:
    """Answer any path: it does not exist."""
    await send_reply(send, error_reply(HTTPStatus.NOT_FOUND, "no such path"))


class Application:
    """Everything that the TLS port serves. Reviews normally take the short way of the protocol."""

    def __init__(self, gate: Gate, rest: App = not_found) -> None:
        """Take the server's gate and the application for all other paths."""
        self._gate = gate
        self._rest = rest

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Serve one request.

        Its body is read first, whatever the answer: the rest of a body would be taken for the next request.
        """
        try:
            body = await _body_of(receive)
        except GoneError:
            return
        endpoint = self._gate.endpoints.get(scope["raw_path"])
        is_post = scope["method"] == "POST"
        if endpoint is not None and not is_post:
            await send_reply(send, self._gate.desk.refuse(method_error()))
        elif is_post and not _is_json(scope) and (endpoint is not None or scope["path"].startswith("/v1/")):
            await send_reply(send, self._gate.desk.refuse(type_error()))
        elif endpoint is not None:
            await send_reply(send, self._gate.desk.answer(endpoint, body, time_limit(scope["query_string"])))
        else:
            await self._other(scope, _replayed(body, receive), send)

    async def _other(self, scope: Message, receive: Receive, send: Send) -> None:
        """Run the rest; whatever goes wrong there is told in JSON, and in the log by its type alone."""
        watched = _Watched(send, self._gate.desk)
        try:
            await self._rest(scope, receive, watched)
        except Exception as fault:  # noqa: BLE001 - a fault must not reach the client, whatever it is
            await watched.fail(self._gate.desk.failed(fault, path=scope["path"][:100]))


async def _body_of(receive: Receive) -> bytes:
    """Return the whole body; the protocol in front holds it to its limits. Raises `GoneError`."""
    body, more = bytearray(), True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise GoneError
        body += message["body"]
        more = message["more_body"]
    return bytes(body)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives the whole body first."""
    first = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def replay() -> Message:
        message = next(first, None)
        return message if message is not None else await receive()

    return replay


class _Watched:
    """Notes whether an answer was begun, and counts the errors that the rest tells by itself."""

    def __init__(self, send: Send, desk: Desk) -> None:
        self._send = send
        self._desk = desk
        self._begun = False

    async def __call__(self, message: Message) -> None:
        # A fault is raised again behind its answer, and counted then.
        if not self._begun and HTTPStatus.BAD_REQUEST <= message["status"] < HTTPStatus.INTERNAL_SERVER_ERROR:
            self._desk.count_error(message["status"])
        self._begun = True
        await self._send(message)

    async def fail(self, reply: Reply) -> None:
        """Answer with an error where nothing was sent yet."""
        if not self._begun:
            await send_reply(self._send, reply)


def _is_json(scope: Message) -> bool:
    headers = dict(scope["headers"])
    return is_plain_json(headers.get(b"content-type", b""), headers.get(b"content-encoding", b""))


async def send_reply(send: Send, reply: Reply) -> None:
    """Send a reply through ASGI."""
    fields = [tuple(line.split(b": ", 1)) for line in reply.fields.split(b"\r\n") if line]
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(reply.body)).encode()), *fields]
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    await send({"type": "http.response.body", "body": reply.body})
