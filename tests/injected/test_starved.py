"""A server that gets no time to run: what clients sent meanwhile counts as sent in time, and no call fails."""

import os
import random
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.server.callers import Callers
from tests.server.process import JSON, Server, answer_from, review_bytes

GOOD = review_bytes("pod-create-volcengine-mutate")
HEAD = b"POST /mutate?timeout=10s HTTP/1.1\r\nHost: percard\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(GOOD)
SHORT = {"PERCARD_SERVE__HEAD_TIMEOUT": "1s", "PERCARD_SERVE__BODY_TIMEOUT": "1s"}


@contextmanager
def _stopped(server: Server) -> Iterator[None]:
    """Let the server not run for a while."""
    server.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        server.process.send_signal(signal.SIGCONT)


def test_a_client_is_not_blamed_for_a_server_that_did_not_run(tmp_path: Path) -> None:
    """Each sends its rest at once, but the server can read it only long after the time limit."""
    with Server(tmp_path, "--self-signed", environ=SHORT) as server:
        server.wait_for("serving")
        parts = [(HEAD[:20], HEAD[20:] + GOOD), (HEAD + GOOD[:100], GOOD[100:])]
        for begun, rest in parts * 3:
            with server.raw() as raw:
                raw.sendall(begun)
                server.wait_until("percard_connections", 1)
                time.sleep(0.1)
                with _stopped(server):
                    raw.sendall(rest)
                    time.sleep(2.5)
                assert answer_from(raw)[0] == 200
            server.wait_until("percard_connections", 0)
        assert {line["seconds"] >= 2 for line in server.lines("stalled")} == {True}


def test_a_slow_client_is_still_given_up_after_a_stall(tmp_path: Path) -> None:
    with Server(tmp_path, "--self-signed", environ=SHORT) as server:
        server.wait_for("serving")
        with server.raw() as raw:
            raw.sendall(HEAD + GOOD[:100])
            server.wait_until("percard_requests_in_flight", 1)
            with _stopped(server):
                time.sleep(2.5)
            assert answer_from(raw)[0] == 408


def test_no_call_fails_while_a_server_runs_last_and_in_bursts(tmp_path: Path) -> None:
    with Server(tmp_path, "--self-signed") as server:
        server.wait_for("serving")
        os.setpriority(os.PRIO_PROCESS, server.process.pid, 19)
        chance = random.Random(9)  # noqa: S311 – the same bursts each time
        with Callers(server) as callers:
            for _ in range(12):
                callers.wait_for(20)
                with _stopped(server):
                    time.sleep(chance.uniform(0.05, 1.5))
            callers.wait_for(20)
        assert callers.bad == []
        assert callers.good >= 260


def test_a_call_that_comes_while_a_stopping_server_does_not_run_is_answered(tmp_path: Path) -> None:
    """The quiet period cannot be over when nobody listened."""
    environ = {"PERCARD_SERVE__QUIET_PERIOD": "1s", "PERCARD_SERVE__MAX_QUIET_PERIOD": "60s"}
    with Server(tmp_path, "--self-signed", environ=environ) as server:
        server.wait_for("serving")
        connections = [server.connect() for _ in range(20)]
        for connection in connections:
            connection.connect()
        server.wait_until("percard_connections", len(connections))
        server.process.send_signal(signal.SIGTERM)
        server.wait_for("stopping")
        with _stopped(server):
            for connection in connections:
                connection.request("POST", "/mutate", GOOD, JSON)
            late = server.connect()  # made while it is stopped: it waits in the backlog
            time.sleep(2.5)
        assert {connection.getresponse().status for connection in connections} == {200}
        late.request("POST", "/mutate", GOOD, JSON)
        assert late.getresponse().status == 200
        for connection in (*connections, late):
            connection.close()
        assert server.process.wait(60) == 0
