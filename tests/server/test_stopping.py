"""How a server stops without a failed call."""

import json
import signal
import time
from pathlib import Path

from tests.server.callers import Callers
from tests.server.process import JSON, Server, answer_from, call_on, review_bytes

GOOD = review_bytes("pod-create-volcengine-mutate")
QUIET = {"PERCARD_SERVE__QUIET_PERIOD": "1s", "PERCARD_SERVE__MAX_QUIET_PERIOD": "20s"}


def test_no_call_fails_while_a_server_stops(tmp_path: Path) -> None:
    """Callers are still sent here for a while after the signal, as in a cluster, and open new connections as they are told."""
    with Server(tmp_path, "--self-signed", environ=QUIET) as server:
        server.wait_for("serving")
        with Callers(server) as callers:
            callers.wait_for(50)
            server.process.send_signal(signal.SIGTERM)
            server.wait_for("stopping")
            assert json.loads(server.ops("/readyz")[1]) == {"ready": False, "missing": ["the server is about to stop"]}
            callers.wait_for(50)
            callers.stop()
        assert callers.bad == []
        assert server.process.wait(30) == 0
        assert server.lines("stopped")


def test_answers_ask_for_the_end_of_the_connection_once_the_server_stops(tmp_path: Path) -> None:
    with Server(tmp_path, "--self-signed", environ=QUIET) as server:
        server.wait_for("serving")
        kept = server.connect()
        assert call_on(kept, "/mutate", GOOD)[0] == 200
        server.process.send_signal(signal.SIGTERM)
        server.wait_for("stopping")
        for path, status in (("/mutate", "200"), ("/nothing", "404")):
            kept.request("POST", path, GOOD, JSON)
            answer = kept.getresponse()
            assert (str(answer.status), answer.getheader("Connection")) == (status, "close")
            answer.read()
        kept.close()


def test_a_request_that_is_under_way_is_answered_before_the_end(tmp_path: Path) -> None:
    patient = {"PERCARD_SERVE__QUIET_PERIOD": "0s", "PERCARD_SERVE__HEAD_TIMEOUT": "1m", "PERCARD_SERVE__BODY_TIMEOUT": "1m"}
    with Server(tmp_path, "--self-signed", environ=QUIET | patient) as server:
        server.wait_for("serving")
        head = b"POST /mutate HTTP/1.1\r\nHost: percard\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(GOOD)
        with server.raw() as raw:
            raw.sendall(head + GOOD[:100])
            server.wait_until("percard_requests_in_flight", 1)
            server.process.send_signal(signal.SIGTERM)
            server.wait_for("stopping")
            time.sleep(0.3)
            raw.sendall(GOOD[100:])
            assert answer_from(raw)[0] == 200
        assert server.process.wait(30) == 0


def test_a_second_signal_ends_at_once(tmp_path: Path) -> None:
    with Server(
        tmp_path, "--self-signed", environ={"PERCARD_SERVE__QUIET_PERIOD": "5m", "PERCARD_SERVE__MAX_QUIET_PERIOD": "5m"}
    ) as server:
        server.wait_for("serving")
        server.process.send_signal(signal.SIGTERM)
        server.wait_for("stopping")
        time.sleep(0.2)
        assert server.process.poll() is None
        assert server.terminate() == 143


def test_an_interrupt_needs_no_quiet_period(tmp_path: Path) -> None:
    with Server(
        tmp_path, "--self-signed", environ={"PERCARD_SERVE__QUIET_PERIOD": "5m", "PERCARD_SERVE__MAX_QUIET_PERIOD": "5m"}
    ) as server:
        server.wait_for("serving")
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(30) == 130


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with Server(tmp_path, "--self-signed") as first:
        (tmp_path / "second").mkdir()
        second = Server(tmp_path / "second", "--self-signed", "--port", str(first.port))
        assert second.process.wait(30) == 2
        told = "percard: cannot listen on 127.0.0.1 port {}: Address already in use; name another with {}, 0 for any free one\n"
        assert second.log_text() == told.format(first.port, "--port")
        third = Server(tmp_path / "second", "--self-signed", "--ops-port", str(first.ops_port))
        assert third.process.wait(30) == 2
        assert third.log_text() == told.format(first.ops_port, "--ops-port")
