"""Clients that are slow, endless or no clients at all, and what they cost the others."""

import contextlib
import http.client
import json
import socket
import time

import pytest

from tests.server.process import HEAD, Server, answer_from, call_on, request_bytes, review_bytes

GOOD = review_bytes("pod-create-volcengine-mutate")


def test_an_endless_body_is_cut_at_the_limit(server: Server) -> None:
    before = server.resident_bytes()
    with server.raw() as raw:
        raw.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        chunk = b"100000\r\n" + b" " * (1 << 20) + b"\r\n"
        with contextlib.suppress(OSError):
            for _ in range(8):
                raw.sendall(chunk)
        assert answer_from(raw)[0] == 413
        start = time.monotonic()
        with contextlib.suppress(OSError):
            while time.monotonic() - start < 5:
                raw.sendall(chunk)
        assert time.monotonic() - start < 5, "it still listens to the rest"
    assert server.resident_bytes() - before < 40 << 20


def test_a_body_that_stops_short_is_given_up(server: Server) -> None:
    with server.raw() as raw:
        raw.sendall(HEAD + b"Content-Length: 100000\r\n\r\n" + GOOD)
        start = time.monotonic()
        status, headers, body = answer_from(raw)
        assert (status, headers["connection"]) == (408, "close")
        assert json.loads(body) == {"error": "the body must arrive within 1.4 s"}
        assert 1.2 < time.monotonic() - start < 2.4


def test_the_callers_time_limit_ends_a_slow_body_sooner(server: Server) -> None:
    with server.raw() as raw:
        raw.sendall(HEAD.replace(b"10s", b"100ms") + b"Content-Length: 100000\r\n\r\n")
        assert json.loads(answer_from(raw)[2]) == {"error": "the body must arrive within 0.1 s"}


def test_a_slow_body_for_the_api_is_given_up_too(server: Server) -> None:
    with server.raw() as raw:
        raw.sendall(HEAD.replace(b"/mutate?timeout=10s", b"/v1/check") + b"Content-Length: 100000\r\n\r\n{")
        assert answer_from(raw)[0] == 408


def test_a_slow_head_is_given_up(server: Server) -> None:
    with server.raw() as raw:
        raw.sendall(HEAD)
        start = time.monotonic()
        status, _, body = answer_from(raw)
        assert (status, json.loads(body)) == (408, {"error": "the head must arrive within 1 s"})
        assert time.monotonic() - start < 2
        assert raw.recv(1) == b""


def test_an_endless_head_is_cut_at_the_limit(server: Server) -> None:
    before = server.resident_bytes()
    with server.raw() as raw:
        raw.sendall(HEAD + b"X-Endless: ")
        with contextlib.suppress(OSError):
            for _ in range(200):
                raw.sendall(b"x" * 10_000)
        assert answer_from(raw)[0] == 431
    assert server.resident_bytes() - before < 10 << 20


def test_a_body_in_a_million_pieces_takes_no_more_memory_than_one(server: Server) -> None:
    before = server.resident_bytes()
    with server.raw() as raw:
        raw.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\n \r\n" * 50_000)
        pieces = b"".join(b"1\r\n%c\r\n" % byte for byte in GOOD)
        raw.sendall(pieces + b"0\r\n\r\n")
        assert answer_from(raw)[0] == 200
    assert server.resident_bytes() - before < 10 << 20


def test_bytes_after_the_stated_length_are_no_request(server: Server) -> None:
    with server.raw() as raw:
        raw.sendall(request_bytes(GOOD) + b"garbage\r\n\r\n")
        assert answer_from(raw)[0] == 200
        assert answer_from(raw)[0] == 400


@pytest.mark.parametrize(
    "garbage", [b"\x16\x03\x01 not http\r\n\r\n", b"GET\r\n\r\n", b"POST /mutate HTTP/1.1\r\nContent-Length: x\r\n\r\n"]
)
def test_what_is_not_http_is_refused_in_json(server: Server, garbage: bytes) -> None:
    with server.raw() as raw:
        raw.sendall(garbage)
        status, headers, body = answer_from(raw)
        assert (status, headers["content-type"], json.loads(body)) == (400, "application/json", {"error": "must be HTTP/1.1"})


@pytest.mark.parametrize("path", [b"/v1/check", b"/nothing"])
def test_too_much_for_any_other_path_is_told_once_and_ends_the_connection(server: Server, path: bytes) -> None:
    with server.raw() as raw:
        with contextlib.suppress(OSError):
            raw.sendall(HEAD.replace(b"/mutate?timeout=10s", path) + b"Transfer-Encoding: chunked\r\n\r\n")
            for _ in range(8):
                raw.sendall(b"100000\r\n" + b" " * (1 << 20) + b"\r\n")
        status, headers, _ = answer_from(raw)
        assert (status, headers["connection"]) == (413, "close")
        with contextlib.suppress(OSError):
            assert raw.recv(100) == b""


def test_the_body_of_a_request_that_is_refused_is_not_taken_for_the_next_one(server: Server) -> None:
    with server.raw() as raw:
        for method, path, status in ((b"PUT", b"/mutate", 405), (b"POST", b"/v1/nothing", 404)):
            head = HEAD.replace(b"POST", method).replace(b"/mutate?timeout=10s", path)
            raw.sendall(head + b"Content-Length: 200000\r\n\r\n" + b" " * 100_000)
            time.sleep(0.1)
            raw.sendall(b" " * 100_000 + request_bytes(GOOD))
            assert [answer_from(raw)[0] for _ in range(2)] == [status, 200]


def test_a_pipelined_body_that_is_too_large_ends_the_connection_without_an_answer_out_of_turn(server: Server) -> None:
    """Where the answer before was given in time the refusal may follow it, but never precede it."""
    with server.raw() as raw, contextlib.suppress(OSError, http.client.HTTPException):
        raw.sendall(b"GET /v1/nothing HTTP/1.1\r\nHost: percard\r\n\r\n" + HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        for _ in range(8):
            raw.sendall(b"100000\r\n" + b" " * (1 << 20) + b"\r\n")
        assert answer_from(raw)[0] == 404
        assert answer_from(raw)[0] == 413


def test_half_a_tls_hello_is_given_up(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), 10) as plain:
        plain.sendall(b"\x16\x03\x01\x02\x00\x01\x00")
        start = time.monotonic()
        with contextlib.suppress(ConnectionResetError):
            assert plain.recv(100) == b""
        assert time.monotonic() - start < 2


def test_nobody_notices_what_others_do_wrong(server: Server) -> None:
    with server.raw() as slow, server.raw() as endless, socket.create_connection(("127.0.0.1", server.port)) as half:
        slow.sendall(HEAD)
        endless.sendall(HEAD + b"Content-Length: 7000000\r\n\r\n" + b" " * 100_000)
        half.sendall(b"\x16\x03\x01")
        connection = server.connect()
        start = time.monotonic()
        assert {call_on(connection, "/mutate", GOOD)[0] for _ in range(50)} == {200}
        assert time.monotonic() - start < 5
        connection.close()
