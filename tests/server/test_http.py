"""What the TLS port answers to good and bad requests."""

import json

import pytest

from tests.server.process import CAP, HEAD, JSON, Server, answer_from, call_on, request_bytes, review_bytes

GOOD = review_bytes("pod-create-volcengine-mutate")
UID = "58e4b913-ce21-4671-b30e-c1a69ba6cf84"


@pytest.mark.parametrize(
    "path", ["/mutate", "/validate", "/validate/warn", "/validate/audit", "/mutate?timeout=1s", "/mutate?timeout=soon"]
)
def test_a_review_is_answered_with_its_uid(server: Server, path: str) -> None:
    status, body = server.call(path, GOOD)
    assert (status, json.loads(body)["response"]["uid"]) == (200, UID)


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8"])
def test_json_is_accepted_with_parameters(server: Server, kind: str) -> None:
    assert server.call("/mutate", GOOD, {"Content-Type": kind})[0] == 200


REFUSED: dict[str, tuple[int, tuple[str, str, dict[str, str], bytes | None]]] = {
    "text": (415, ("POST", "/mutate", {"Content-Type": "text/plain"}, GOOD)),
    "no content type": (415, ("POST", "/mutate", {}, GOOD)),
    "a gzip body": (415, ("POST", "/mutate", JSON | {"Content-Encoding": "gzip"}, b"\x1f\x8b\x08\x00")),
    "an unknown path": (404, ("POST", "/mutate2", JSON, GOOD)),
    "a slash too many": (404, ("POST", "/mutate/", JSON, GOOD)),
    "the root": (404, ("GET", "/", {}, None)),
    "a GET": (405, ("GET", "/mutate", {}, None)),
    "a PUT": (405, ("PUT", "/validate", JSON, GOOD)),
    "a DELETE": (405, ("DELETE", "/validate/warn", {}, None)),
    "an empty body": (400, ("POST", "/mutate", JSON, b"")),
    "no JSON": (400, ("POST", "/mutate", JSON, b"hello")),
    "no review": (400, ("POST", "/mutate", JSON, b"{}")),
    "invalid UTF-8": (400, ("POST", "/mutate", JSON, GOOD.replace(b'"worker"', b'"\xff"'))),
    "NaN": (400, ("POST", "/mutate", JSON, GOOD.replace(b'"worker"', b"NaN"))),
    "a hundred thousand brackets": (400, ("POST", "/mutate", JSON, GOOD.replace(b'"worker"', b"[" * 100_000 + b"]" * 100_000))),
    "one byte too many": (413, ("POST", "/mutate", JSON, b" " * (CAP + 1))),
    "eight mebibytes": (413, ("POST", "/validate", JSON, b" " * (8 << 20))),
}


@pytest.mark.parametrize(("status", "request_"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_refused_is_told_in_json(server: Server, status: int, request_: tuple[str, str, dict[str, str], bytes | None]) -> None:
    method, path, headers, body = request_
    code, answer = server.call(path, body, headers, method)
    assert code == status
    assert list(json.loads(answer)) == ["error"]


def test_a_head_request_gets_no_body(server: Server) -> None:
    assert server.call("/mutate", None, {}, "HEAD") == (405, b"")


def test_the_largest_body_is_read(server: Server) -> None:
    body = GOOD + b" " * (CAP - len(GOOD))
    assert server.call("/mutate", body)[0] == 200


def test_fifty_thousand_annotations_are_answered(server: Server) -> None:
    review = json.loads(GOOD)
    review["request"]["object"]["metadata"]["annotations"] |= {f"example.com/{number}": "x" for number in range(50_000)}
    status, body = server.call("/validate", json.dumps(review).encode())
    assert (status, json.loads(body)["response"]["uid"]) == (200, UID)


def test_a_bad_body_does_not_end_the_connection(server: Server) -> None:
    connection = server.connect()
    assert [call_on(connection, "/mutate", body)[0] for body in (b"{}", GOOD, b"", GOOD)] == [400, 200, 400, 200]
    connection.close()


def test_a_client_may_ask_before_it_sends_a_body(server: Server) -> None:
    with server.raw() as raw:
        raw.sendall(HEAD + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(GOOD))
        assert raw.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        raw.sendall(GOOD)
        assert answer_from(raw)[0] == 200


def test_a_client_that_asks_with_too_much_is_told_so_at_once(server: Server) -> None:
    with server.raw() as raw:
        raw.sendall(HEAD + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % (CAP + 1))
        assert answer_from(raw)[0] == 413


def test_a_request_in_pieces_is_one_request(server: Server) -> None:
    with server.raw() as raw:
        for byte in (request := request_bytes(GOOD))[:200]:
            raw.sendall(bytes([byte]))
        raw.sendall(request[200:])
        assert answer_from(raw)[0] == 200


@pytest.mark.parametrize("protocol", [b"h2c", b"websocket"])
def test_an_upgrade_is_refused(server: Server, protocol: bytes) -> None:
    with server.raw() as raw:
        raw.sendall(request_bytes(GOOD, head=HEAD + b"Connection: Upgrade\r\nUpgrade: " + protocol + b"\r\n"))
        assert answer_from(raw)[0] == 400


def test_http_1_0_is_answered_and_closed(server: Server) -> None:
    with server.raw() as raw:
        raw.sendall(request_bytes(GOOD, head=HEAD.replace(b"HTTP/1.1", b"HTTP/1.0")))
        status, headers, _ = answer_from(raw)
        assert (status, headers["connection"]) == (200, "close")


def test_requests_that_come_at_once_are_answered_in_their_order(server: Server) -> None:
    api = b"GET /v1/nothing HTTP/1.1\r\nHost: percard\r\n\r\n"
    with server.raw() as raw:
        raw.sendall(request_bytes(GOOD) + api + request_bytes(GOOD) + api + request_bytes(GOOD))
        assert [answer_from(raw)[0] for _ in range(5)] == [200, 404, 200, 404, 200]


def test_the_short_and_the_long_way_give_the_same_bytes(server: Server) -> None:
    """Behind a request for the application, a review waits for its turn and takes the way through ASGI."""
    api = b"GET /v1/nothing HTTP/1.1\r\nHost: percard\r\n\r\n"
    denied = review_bytes("pod-create-uneven-split")
    validate = HEAD.replace(b"/mutate", b"/validate")
    for request in (
        request_bytes(GOOD),
        request_bytes(denied, validate),
        request_bytes(b"{}"),
        request_bytes(GOOD, head=HEAD.replace(b"application/json", b"text/plain")),
    ):
        with server.raw() as raw:
            raw.sendall(request)
            short = answer_from(raw)
        with server.raw() as raw:
            raw.sendall(api + request)
            assert answer_from(raw)[0] == 404
            long = answer_from(raw)
        assert (short[0], short[2]) == (long[0], long[2])
        assert {**short[1], "connection": ""} == {**long[1], "connection": ""}


@pytest.mark.parametrize(
    ("path", "method", "body", "code"),
    [
        ("/mutate", "POST", b"{}", 400),
        ("/nothing", "GET", None, 404),
        ("/v1/nothing", "POST", b"{}", 404),
        ("/mutate", "GET", None, 405),
        ("/v1/check", "GET", None, 405),
        ("/v1/check", "POST", b"[]", 422),
        ("/v1/convert", "POST", b'{"objects": [], "to": "nothing"}', 422),
    ],
)
def test_errors_are_counted_once_by_their_code(server: Server, path: str, method: str, body: bytes | None, code: int) -> None:
    name = f'percard_http_errors_total{{code="{code}"}}'
    before = server.metric(name)
    assert server.call(path, body, JSON, method)[0] == code
    assert server.metric(name) == before + 1
