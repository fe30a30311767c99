"""What a server bears: connections, requests, bodies, and silence."""

import contextlib
import time
from pathlib import Path

from tests.server.process import Server, answer_from, call_on, review_bytes

GOOD = review_bytes("pod-create-volcengine-mutate")


def test_connections_and_requests_beyond_the_caps_are_told_to_come_again(tmp_path: Path) -> None:
    environ = {"PERCARD_SERVE__MAX_CONNECTIONS": "3", "PERCARD_SERVE__MAX_IN_FLIGHT": "2"}
    with Server(tmp_path, "--self-signed", environ=environ) as server:
        server.wait_for("serving")
        head = b"POST /mutate HTTP/1.1\r\nHost: percard\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n"
        with server.raw() as one, server.raw() as two, server.raw() as three:
            for slow in (one, two):
                slow.sendall(head)
            server.wait_until("percard_requests_in_flight", 2)
            three.sendall(head)
            status, headers, _ = answer_from(three)
            assert (status, headers["retry-after"]) == (503, "1")
            one.sendall(b"x" * 10)
            assert answer_from(one)[0] == 400
            assert server.metric('percard_shed_total{cap="in_flight"}') == 1
        server.wait_until("percard_connections", 0)
        with server.raw() as one, server.raw() as two, server.raw() as three, server.raw() as four:
            four.sendall(head)
            assert answer_from(four)[0] == 503
            for kept in (one, two, three):
                kept.sendall(head + b"x" * 10)
                assert answer_from(kept)[0] == 400
        assert server.metric('percard_shed_total{cap="connections"}') == 1


def test_bodies_that_are_read_at_the_same_time_share_a_limit(tmp_path: Path) -> None:
    """Ten bodies of 7 MiB are more than 64 MiB; the tenth is told to come again, the others may go on."""
    with Server(tmp_path, "--self-signed") as server, contextlib.ExitStack() as stack:
        server.wait_for("serving")
        size = 7 << 20
        head = b"POST /mutate HTTP/1.1\r\nHost: percard\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % size
        before = server.resident_bytes()
        slow = [stack.enter_context(server.raw()) for _ in range(10)]
        for raw in slow[:9]:
            raw.sendall(head + b" " * (size - 1))
        server.wait_until("percard_requests_in_flight", 9)
        slow[9].sendall(head + b" " * (size - 1))
        assert answer_from(slow[9])[0] == 503
        assert server.metric('percard_shed_total{cap="buffered_bytes"}') == 1
        assert server.resident_bytes() - before < 160 << 20
        slow[0].sendall(b" ")
        assert answer_from(slow[0])[0] == 400


def test_an_idle_connection_outlives_the_moment_at_which_others_close(tmp_path: Path) -> None:
    """Uvicorn closes after 5 s by default, just when a caller may be sending."""
    with Server(tmp_path, "--self-signed") as server:
        server.wait_for("serving")
        idle = [server.connect() for _ in range(20)]
        for connection in idle:
            assert call_on(connection, "/mutate", GOOD)[0] == 200
        time.sleep(5.1)
        for connection in idle:
            assert call_on(connection, "/mutate", GOOD)[0] == 200
            connection.close()
