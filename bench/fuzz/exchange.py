"""Sends reviews over kept-alive TLS connections, several at a time, and reads every answer in turn."""

import json
import socket
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO, NamedTuple

from bench.fuzz.reviews import Sent

CONNECTIONS, AT_ONCE = 4, 8
_HEAD = "POST {path}?timeout=10s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
_OK, _BAD_REQUEST = 200, 400


class Line(NamedTuple):
    """One connection, to write to and to read from."""

    socket: ssl.SSLSocket
    file: BinaryIO


@contextmanager
def lines(port: int, context: ssl.SSLContext) -> Iterator[list[Line]]:
    """Yield connections, ended with the block."""
    opened = []
    for _ in range(CONNECTIONS):
        one = context.wrap_socket(socket.create_connection(("127.0.0.1", port), 60), server_hostname="127.0.0.1")
        opened.append(Line(one, one.makefile("rb")))
    try:
        yield opened
    finally:
        for line in opened:
            line.file.close()
            line.socket.close()


def exchange(opened: Sequence[Line], batch: Sequence[Sent]) -> Iterator[tuple[Sent, str]]:
    """Send a batch and yield each of it with what is wrong about its answer, an empty text where nothing is."""
    parts = [(line, batch[index * AT_ONCE : (index + 1) * AT_ONCE]) for index, line in enumerate(opened)]
    for line, part in parts:
        heads = (_HEAD.format(path=sent.path, length=len(sent.body)).encode() + sent.body for sent in part)
        line.socket.sendall(b"".join(heads))
    for line, part in parts:
        for sent in part:
            yield sent, _wrong(sent, *_answer(line.file))


def _answer(file: BinaryIO) -> tuple[int, bytes]:
    status, length = file.readline().split(b" "), 0
    while (field := file.readline()) not in (b"\r\n", b""):
        if field.lower().startswith(b"content-length:"):
            length = int(field.partition(b":")[2])
    return int(status[1]) if len(status) > 1 else 0, file.read(length)


def _wrong(sent: Sent, status: int, body: bytes) -> str:
    try:
        answer = json.loads(body)
    except ValueError:
        return f"HTTP {status} without JSON"
    if status == _OK:
        return _wrong_answer(sent, answer)
    if status == _BAD_REQUEST and isinstance(answer.get("error"), str):
        return "" if sent.uid is None else f"HTTP 400 for a review that can be answered: {answer['error']}"
    return f"HTTP {status}"


def _wrong_answer(sent: Sent, answer: Any) -> str:
    response = answer.get("response", {})
    uid = _uid(sent.body) if sent.uid is None else sent.uid
    if response.get("uid") != uid:
        return f"the uid {response.get('uid')!r} for {uid!r}"
    if type(response.get("allowed")) is not bool or ("patch" in response) is not ("patchType" in response):
        return "no answer of an admission webhook"
    if not response["allowed"] and (sent.path != "/validate" or not response["status"]["details"]["causes"]):
        return f"a denial at {sent.path}, or one without causes"
    return ""


def _uid(body: bytes) -> Any:
    """Return the uid of a review that need not be one, None where there is none to be read."""
    try:
        review = json.loads(body)
        return review["request"]["uid"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
