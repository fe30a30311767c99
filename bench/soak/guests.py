"""Clients that do what no API server does: what each sends, and what it must get. docs/http.md has the same list."""

import gzip
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import repeat
from typing import Literal

from bench import bodies

# Pieces are bytes to send, or seconds to wait before the next.
Pieces = Iterable[bytes | float]
_TRICKLE_SECONDS = 0.05
_MIB = 1 << 20
_HEAD = b"POST /mutate?timeout=10s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
_REVIEW = json.dumps(bodies.patched(), separators=(",", ":")).encode()
_NAME = b'"name":"mgpu-container"'


@dataclass(frozen=True, slots=True)
class Guest:
    """One kind of bad or odd client; `status` 0 stands for an end of the connection without an answer.

    `waits_for` is the time limit that ends it, none where the answer comes at once.
    """

    name: str
    status: int
    pieces: Callable[[], Pieces]
    waits_for: Literal["", "head", "body"] = ""
    tls: bool = True


def _request(body: bytes, head: bytes = _HEAD, length: int | None = None) -> bytes:
    return head + b"Content-Length: %d\r\n\r\n" % (len(body) if length is None else length) + body


def _all_at_once(request: bytes) -> Callable[[], Pieces]:
    return lambda: (request,)


def _other(old: bytes, new: bytes) -> bytes:
    """Return the good head with one part exchanged."""
    if old not in _HEAD:
        raise ValueError(old)
    return _HEAD.replace(old, new)


def _in_the_name(value: bytes) -> bytes:
    """Return a review with another value in the place of a container's name."""
    if _NAME not in _REVIEW:
        raise ValueError(value)
    return _REVIEW.replace(_NAME, b'"name":' + value)


def _endless_body() -> Pieces:
    yield _HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
    yield from repeat(b"100000\r\n" + b" " * _MIB + b"\r\n", 64)


def _endless_head() -> Pieces:
    yield _HEAD + b"X-Endless: "
    yield from repeat(b"x" * 10_000, 1000)


def _trickle(begin: bytes, rest: bytes) -> Callable[[], Pieces]:
    def pieces() -> Iterator[bytes | float]:
        yield begin
        for byte in rest:
            yield _TRICKLE_SECONDS
            yield bytes([byte])

    return pieces


def _tiny_chunks() -> Pieces:
    yield _HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\n \r\n" * 50_000
    yield b"".join(b"1\r\n%c\r\n" % byte for byte in _REVIEW) + b"0\r\n\r\n"


def _many_annotations() -> Pieces:
    review = bodies.patched()
    review["request"]["object"]["metadata"]["annotations"] |= {f"example.com/{number}": "x" for number in range(50_000)}
    yield _request(json.dumps(review).encode())


def _asks_first() -> Pieces:
    yield _HEAD + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(_REVIEW)
    yield 0.05
    yield _REVIEW


_LONG = 100_000
_DEEP = b"[" * _LONG + b"]" * _LONG
_TWO_LENGTHS = b"Content-Length: 10\r\n" + _request(_REVIEW, b"")
_LENGTH_AND_CHUNKS = _request(b"0\r\n\r\n", b"Transfer-Encoding: chunked\r\n")
_GZIP = _request(gzip.compress(_REVIEW), _HEAD + b"Content-Encoding: gzip\r\n")

GUESTS = (
    Guest("another method", 405, _all_at_once(_request(_REVIEW, _other(b"POST", b"PUT")))),
    Guest("another content type", 415, _all_at_once(_request(_REVIEW, _other(b"application/json", b"text/plain")))),
    Guest("another path", 404, _all_at_once(_request(_REVIEW, _other(b"/mutate", b"/mutate2")))),
    Guest("a compressed body", 415, _all_at_once(_GZIP)),
    Guest("an empty body", 400, _all_at_once(_request(b""))),
    Guest("JSON that is no review", 400, _all_at_once(_request(b"{}"))),
    Guest("invalid UTF-8", 400, _all_at_once(_request(_in_the_name(b'"\xff"')))),
    Guest("NaN", 400, _all_at_once(_request(_in_the_name(b"NaN")))),
    Guest("JSON 100,000 levels deep", 400, _all_at_once(_request(_in_the_name(_DEEP)))),
    Guest("50,000 annotations", 200, _many_annotations),
    Guest("a body of 8 MiB", 413, lambda: (_request(b" " * (8 * _MIB)),)),
    Guest("an endless body", 413, _endless_body),
    Guest("a body in chunks of one byte", 200, _tiny_chunks),
    Guest("a body that asks first (Expect)", 200, _asks_first),
    Guest("a body too large that asks first", 413, _all_at_once(_request(b"", _HEAD + b"Expect: 100-continue\r\n", 8 * _MIB))),
    Guest("a Content-Length beyond the body", 408, _all_at_once(_request(_REVIEW, length=_LONG)), "body"),
    Guest("a Content-Length short of the body", 400, _all_at_once(_request(_REVIEW, length=1000))),
    Guest("a Content-Length that is no number", 400, _all_at_once(_HEAD + b"Content-Length: -1\r\n\r\n" + _REVIEW)),
    Guest("two lengths", 400, _all_at_once(_HEAD + _TWO_LENGTHS)),
    Guest("a length and chunks", 400, _all_at_once(_HEAD + _LENGTH_AND_CHUNKS)),
    Guest("a slow head", 408, _trickle(b"", _HEAD + b"X: " + b"x" * _LONG), "head"),
    Guest("a slow body", 408, _trickle(_request(b"", length=len(_REVIEW)), _REVIEW), "body"),
    Guest("an endless head", 431, _endless_head),
    Guest("what is not HTTP", 400, _all_at_once(b"\x00\x01\x02\x03 hello\r\n\r\n")),
    Guest("an upgrade to another protocol", 400, _all_at_once(_request(_REVIEW, _HEAD + b"Connection: Upgrade\r\nUpgrade: h2c\r\n"))),
    Guest("plain HTTP", 0, _all_at_once(_request(_REVIEW)), tls=False),
    Guest("half a TLS hello", 0, _all_at_once(b"\x16\x03\x01\x02\x00\x01\x00"), "head", tls=False),
    Guest("a connection that says nothing", 0, _all_at_once(b""), "head", tls=False),
)
