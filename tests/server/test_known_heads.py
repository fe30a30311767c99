"""A head that was parsed before is not parsed again, and nothing of the answers changes by that."""

from typing import Any

import pytest
import uvicorn
from hypothesis import given
from hypothesis import strategies as st
from uvicorn.server import ServerState

from tests.server.process import review_bytes
from tests.support.pods import ENGINE
from webhook.admission.handler import Handler
from webhook.server.asgi import not_found
from webhook.server.desk import Desk
from webhook.server.gate import Gate, KnownHead, KnownHeads, Limits
from webhook.server.logs import LogQueue, Logs
from webhook.server.metrics import Counters
from webhook.server.protocol import AdmissionProtocol, protocol_for
from webhook.server.replies import Reply


class Wire:
    """A transport that keeps what is written to it."""

    def __init__(self) -> None:
        self.written = b""
        self.closed = False

    def write(self, data: bytes) -> None:
        self.written += data

    def close(self) -> None:
        self.closed = True

    abort = close

    def is_closing(self) -> bool:
        return self.closed

    def get_extra_info(self, _: str, default: Any = None) -> Any:
        return default


class CountingDesk(Desk):
    """A desk that answers by the size of the body, so that no body can be taken for another."""

    def answer(self, endpoint: Any, body: bytes, limit: float | None = None) -> Reply:
        return Reply(200, f"{endpoint} {limit} {len(body)} {hash(body)}".encode())


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with (tmp_path_factory.mktemp("log") / "log").open("wb") as stream:
        queue = LogQueue(stream)
        yield Logs("error", "json", queue)
        queue.close()


def gate_with(logs: Logs, in_flight: int = 100) -> Gate:
    counters = Counters("1")
    limits = Limits(body_bytes=1 << 20, connections=10, in_flight=in_flight, head_seconds=1, body_seconds=1, idle_seconds=9)
    return Gate(limits, CountingDesk(Handler(ENGINE, "1"), counters, logs), counters)


def connected(gate: Gate) -> tuple[AdmissionProtocol, Wire]:
    config = uvicorn.Config(not_found, http=protocol_for(gate), ws="none", interface="asgi3", lifespan="off", log_config=None)
    config.load()
    wire = Wire()
    protocol: Any = config.http_protocol_class
    # Reviews are answered without a loop; by itself uvicorn would make one that nobody closes.
    connection: AdmissionProtocol = protocol(config=config, server_state=ServerState(), app_state={}, _loop=object())
    connection.connection_made(wire)
    return connection, wire


def answered(gate: Gate, *packets: bytes) -> tuple[bytes, bool]:
    connection, wire = connected(gate)
    for packet in packets:
        if not wire.closed:
            connection.data_received(packet)
    return wire.written, wire.closed


def head_of(request: bytes) -> bytes:
    return request[: request.index(b"\r\n\r\n") + 4]


def request(path: bytes = b"/mutate?timeout=3s", body: bytes = b"{}", fields: bytes = b"") -> bytes:
    head = b"POST " + path + b" HTTP/1.1\r\nHost: percard\r\nContent-Type: application/json\r\n" + fields
    return head + b"Content-Length: %d\r\n\r\n" % len(body) + body


CHUNKED = (
    b"POST /mutate HTTP/1.1\r\nHost: percard\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
)
REQUESTS = {
    "a review": request(),
    "another body of the same length": request(body=b"[]"),
    "another endpoint": request(b"/validate"),
    "a longer body": request(body=review_bytes("pod-create-plain")),
    "an empty body": request(body=b""),
    "a head in the body": request(body=request()),
    "chunks": CHUNKED,
    "chunks and a length": CHUNKED.replace(b"\r\n\r\n2", b"\r\nContent-Length: 17\r\n\r\n2"),
    "a body that is awaited": request(fields=b"Expect: 100-continue\r\n"),
    "the last on its connection": request(fields=b"Connection: close\r\n"),
    "another type": request().replace(b"application/json", b"text/plain"),
    "an upgrade": request(fields=b"Connection: Upgrade\r\nUpgrade: h2c\r\n"),
    "HTTP/1.0": request().replace(b"HTTP/1.1", b"HTTP/1.0"),
    "no HTTP": b"\x16\x03\x01\x02\x00\r\n\r\n",
}
KNOWABLE = ("a review", "another body of the same length", "another endpoint", "a longer body", "an empty body", "a head in the body")


@pytest.mark.parametrize("name", REQUESTS)
def test_only_what_its_bytes_alone_decide_is_remembered(logs: Logs, name: str) -> None:
    gate = gate_with(logs)
    answered(gate, REQUESTS[name])
    assert (gate.known_heads.get(head_of(REQUESTS[name])) is not None) is (name in KNOWABLE)


def test_a_head_says_where_how_long_and_how_much(logs: Logs) -> None:
    gate = gate_with(logs)
    answered(gate, request(b"/validate/warn?timeout=500ms", b"12345"))
    assert gate.known_heads.get(head_of(request(b"/validate/warn?timeout=500ms", b"12345"))) == KnownHead("validate/warn", 0.5, 5)


@given(st.lists(st.sampled_from(sorted(REQUESTS)), min_size=1, max_size=4), st.lists(st.integers(1, 400), max_size=6))
def test_a_server_that_knows_the_heads_answers_as_one_that_does_not(logs: Logs, names: list[str], cuts: list[int]) -> None:
    stream = b"".join(REQUESTS[name] for name in names)
    packets = list(cut(stream, cuts))
    knowing = gate_with(logs)
    for known in REQUESTS.values():
        answered(knowing, known)
    assert answered(knowing, *packets) == answered(gate_with(logs), *packets)


@given(st.lists(st.sampled_from(sorted(KNOWABLE)), min_size=1, max_size=4))
def test_requests_that_come_one_by_one_are_answered_one_by_one(logs: Logs, names: list[str]) -> None:
    gate = gate_with(logs)
    alone = b"".join(answered(gate, REQUESTS[name])[0] for name in names)
    assert answered(gate, *(REQUESTS[name] for name in names)) == (alone, False)


def cut(stream: bytes, cuts: list[int]) -> Any:
    for size in cuts:
        yield stream[:size]
        stream = stream[size:]
        if not stream:
            return
    yield stream


def test_half_a_head_behind_a_request_is_waited_for(logs: Logs) -> None:
    """What comes next would be taken for a new request, and be known, if the half were forgotten."""
    gate = gate_with(logs)
    answered(gate, request(b"/validate"))
    written, _ = answered(gate, request() + b"POST /validate/warn HTTP/1.1\r\nX: ", request(b"/validate"))
    assert written.count(b"HTTP/1.1 200") == 2
    assert b"validate/warn None 2" in written


def test_of_two_requests_in_one_packet_none_is_taken_for_the_other(logs: Logs) -> None:
    gate = gate_with(logs)
    answered(gate, request(b"/mutate") + request(b"/validate"))
    assert b"mutate None 2" in answered(gate, request(b"/mutate"))[0]


def test_a_server_that_stops_says_so_on_known_heads_too(logs: Logs) -> None:
    gate = gate_with(logs)
    answered(gate, request())
    gate.draining = True
    written, closed = answered(gate, request())
    assert b"connection: close" in written
    assert closed


def test_known_heads_are_refused_where_too_much_is_under_way(logs: Logs) -> None:
    gate = gate_with(logs, in_flight=1)
    answered(gate, request())
    gate.counters.in_flight = 1
    assert answered(gate, request())[0].startswith(b"HTTP/1.1 503")


def test_the_oldest_head_is_forgotten_where_there_is_no_room() -> None:
    heads = KnownHeads(size=2)
    known = KnownHead("mutate", None, 1)
    for name in (b"1", b"2", b"3"):
        heads.keep(name, known)
    assert [heads.get(name) for name in (b"1", b"2", b"3")] == [None, known, known]


def test_a_long_head_is_answered_and_not_remembered(logs: Logs) -> None:
    gate = gate_with(logs)
    long = request(fields=b"X: " + b"x" * 1024 + b"\r\n")
    assert answered(gate, long) == answered(gate, request())
    assert gate.known_heads.get(head_of(long)) is None
    assert gate.known_heads.get(head_of(request())) is not None
