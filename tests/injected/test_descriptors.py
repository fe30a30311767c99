"""File descriptors that are few, or used up: open connections are served, the rest is told, and all is well again afterwards."""

import contextlib
import resource
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme

from tests.injected.conditions import LOOKS_OFTEN, before_start, limited
from tests.server.mounted import MountedSecret
from tests.server.process import Server, call_on, review_bytes

GOOD = review_bytes("pod-create-volcengine-mutate")
# Of 300 descriptors half are for connections, 64 more connections are told that they are too many.
FEW, CONNECTIONS, REFUSED = 300, 150, 64


def _descriptors(server: Server) -> int:
    return len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))


def _status(server: Server, raw: ssl.SSLSocket) -> int:
    """Return what a review on this connection is answered with, 0 where it was cut."""
    connection = server.connect()
    connection.sock = raw
    try:
        return call_on(connection, "/mutate", GOOD)[0]
    except OSError:
        return 0


@pytest.fixture
def opened() -> Iterator[contextlib.ExitStack]:
    """Hold connections until the test ends."""
    with contextlib.ExitStack() as stack:
        yield stack


def test_a_server_with_few_descriptors_serves_fewer_connections_and_keeps_enough_for_probes(
    tmp_path: Path, opened: contextlib.ExitStack
) -> None:
    few = before_start(tmp_path / "site", f"import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, ({FEW}, {FEW}))\n")
    few["PERCARD_SERVE__HEAD_TIMEOUT"] = "1m"  # so that those that are refused wait until they are asked
    with Server(tmp_path, "--self-signed", environ=few) as server:
        told = server.wait_for("fewer connections than serve.max_connections")
        assert (told["connections"], told["file_descriptors"]) == (CONNECTIONS, FEW)
        server.wait_for("serving")
        raws = [opened.enter_context(server.raw()) for _ in range(CONNECTIONS + REFUSED + 10)]
        server.wait_until("percard_connections", CONNECTIONS + REFUSED)
        assert [_status(server, raw) for raw in raws] == [200] * CONNECTIONS + [503] * REFUSED + [0] * 10
        assert [server.ops(page)[0] for page in ("/livez", "/readyz")] == [200, 200]
        assert server.metric('percard_shed_total{cap="connections"}') == REFUSED + 10
        assert server.lines("file descriptors used up") == []
        opened.close()
        server.wait_until("percard_connections", 0)
        assert server.call("/mutate", GOOD)[0] == 200


def test_connections_that_are_too_many_do_not_stay(tmp_path: Path, opened: contextlib.ExitStack) -> None:
    """They say nothing, so nothing can be answered; they are not kept as long as those that may stay."""
    environ = {"PERCARD_SERVE__MAX_CONNECTIONS": "3", "PERCARD_SERVE__HEAD_TIMEOUT": "1s"}
    with Server(tmp_path, "--self-signed", environ=environ) as server:
        server.wait_for("serving")
        for _ in range(20):
            opened.enter_context(server.raw())
        server.wait_until("percard_connections", 20)
        server.wait_until("percard_connections", 3)


def test_a_server_asks_for_more_descriptors_than_it_was_started_with(tmp_path: Path) -> None:
    """Shells and systemd start programs with 1024, of which the shipped limit of 4096 connections could not be met."""
    if resource.getrlimit(resource.RLIMIT_NOFILE)[1] < 4096 + 1024:
        pytest.skip("this machine grants fewer")
    code = "import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (1024, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))\n"
    with Server(tmp_path, "--self-signed", environ=before_start(tmp_path / "site", code)) as server:
        server.wait_for("serving")
        assert resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)[0] == 4096 + 1024
        assert server.lines("fewer connections than serve.max_connections") == []


def test_whoever_only_holds_connections_to_the_probes_is_let_go(tmp_path: Path, opened: contextlib.ExitStack) -> None:
    code = "import webhook.server.run\nwebhook.server.run.OPS_CONNECTIONS, webhook.server.run.OPS_IDLE_SECONDS = 20, 1.0\n"
    with Server(tmp_path, "--self-signed", environ=before_start(tmp_path / "site", code)) as server:
        server.wait_for("serving")
        held = [opened.enter_context(socket.create_connection(("127.0.0.1", server.ops_port), 30)) for _ in range(20)]
        for connection in held:
            assert connection.recv(1) == b""  # at the latest when the idle time is over
        assert server.ops("/livez")[0] == 200


def test_a_server_without_a_descriptor_serves_open_connections_and_says_so_once_and_recovers(
    tmp_path: Path, opened: contextlib.ExitStack
) -> None:
    ca, secret, settings = trustme.CA(), MountedSecret(tmp_path / "secret"), tmp_path / "percard.yaml"
    secret.issue(ca)
    settings.write_text("workloads: error\n")
    often = before_start(tmp_path / "site", LOOKS_OFTEN)
    with Server(tmp_path, *secret.arguments, "--config", str(settings), environ=often) as server:
        server.ca = ssl.create_default_context(cadata=ca.cert_pem.bytes().decode())
        server.wait_for("serving")
        kept = server.connect()
        assert call_on(kept, "/mutate", GOOD)[0] == 200
        with limited(server.process.pid, resource.RLIMIT_NOFILE, _descriptors(server)):
            server.wait_for("file descriptors used up")
            for _ in range(50):
                with contextlib.suppress(OSError):
                    opened.enter_context(server.raw())
            leaf = secret.issue(ca)
            settings.write_text("workloads: warning\n")
            assert "Too many open files" in server.wait_for("certificate not usable")["reason"]
            assert "Too many open files" in server.wait_for("settings not usable")["problems"][0]
            assert {call_on(kept, "/mutate", GOOD)[0] for _ in range(50)} == {200}
        server.wait_for("file descriptors free again")
        server.wait_for("certificate in force", 2)
        server.wait_for("settings in force")
        assert ssl.get_server_certificate(("127.0.0.1", server.port)).strip().encode() in leaf
        assert (server.call("/mutate", GOOD)[0], server.ops("/readyz")[0]) == (200, 200)
        assert [len(server.lines(f"file descriptors {state}")) for state in ("used up", "free again")] == [1, 1]
        kept.close()
