"""HTTP replies: what a handler gives back, and how it is written to the socket."""

import json
from http import HTTPStatus
from typing import NamedTuple


class Reply(NamedTuple):
    """A status and a JSON body; `fields` are further header lines, each ending in CR LF."""

    status: int
    body: bytes
    fields: bytes = b""


def error_reply(status: HTTPStatus, message: str, fields: bytes = b"") -> Reply:
    """Return an error as JSON: `{"error": "…"}`."""
    return Reply(status, json.dumps({"error": message}).encode(), fields)


def method_error() -> Reply:
    """Return what any method but POST is answered with."""
    return error_reply(HTTPStatus.METHOD_NOT_ALLOWED, "must be a POST", b"allow: POST\r\n")


def type_error() -> Reply:
    """Return what a body of another type, or a compressed one, is answered with."""
    return error_reply(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "must be Content-Type: application/json without Content-Encoding")


def size_error(limit: int) -> Reply:
    """Return what a body over the limit is answered with."""
    return error_reply(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"must be at most {limit} bytes")


def head_error(limit: int) -> Reply:
    """Return what a head over the limit is answered with."""
    return error_reply(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, f"the head must be at most {limit} bytes")


def upgrade_error() -> Reply:
    """Return what a request for another protocol is answered with; its body could not be read."""
    return error_reply(HTTPStatus.BAD_REQUEST, "must be HTTP/1.1 without an upgrade")


def fault_error() -> Reply:
    """Return what a request on which percard itself failed is answered with."""
    return error_reply(HTTPStatus.INTERNAL_SERVER_ERROR, "a fault of percard itself; its log says where")


def overload_error() -> Reply:
    """Return what a request beyond a cap is answered with."""
    return error_reply(HTTPStatus.SERVICE_UNAVAILABLE, "too many requests at a time; try again", b"retry-after: 1\r\n")


_STATUS_LINES = {status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode() for status in HTTPStatus}
_KEPT = b"content-type: application/json\r\ncontent-length: %d\r\n%b\r\n%b"
_CLOSED = b"content-type: application/json\r\nconnection: close\r\ncontent-length: %d\r\n%b\r\n%b"


def as_http(reply: Reply, *, close: bool) -> bytes:
    """Return the bytes of an HTTP/1.1 response, ready for one write."""
    status, body, fields = reply
    return _STATUS_LINES[status] + (_CLOSED if close else _KEPT) % (len(body), fields, body)
