"""How a query and two headers are read."""

import pytest

from webhook.server.gate import is_plain_json, time_limit


@pytest.mark.parametrize(
    ("query", "seconds"),
    [
        (b"timeout=10s", 10.0),
        (b"timeout=1s", 1.0),
        (b"timeout=500ms", 0.5),
        (b"timeout=2m", 120.0),
        (b"timeout=1.5s", 1.5),
        (b"a=b&timeout=3s&c=d", 3.0),
        (b"", None),
        (b"timeout=", None),
        (b"timeout=10", None),
        (b"timeout=soon", None),
        (b"timeout=1s2", None),
        (b"notimeout=1s", None),
        (b"timeout=99999999999s", None),
        ("timeout=１s".encode(), None),  # noqa: RUF001 - a full-width digit is the point
    ],
)
def test_the_callers_time_limit_is_read_or_ignored(query: bytes, seconds: float | None) -> None:
    assert time_limit(query) == seconds


@pytest.mark.parametrize(
    ("content_type", "encoding", "plain"),
    [
        (b"application/json", b"", True),
        (b"application/json; charset=utf-8", b"", True),
        (b"Application/Json", b"identity", True),
        (b"application/json", b"gzip", False),
        (b"application/jsonx", b"", False),
        (b"text/plain", b"", False),
        (b"", b"", False),
    ],
)
def test_only_json_as_it_is_is_read(content_type: bytes, encoding: bytes, plain: bool) -> None:  # noqa: FBT001 - a column of the table
    assert is_plain_json(content_type, encoding) is plain
