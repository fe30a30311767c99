"""How a server starts without a certificate, stops without a failed call, and renews what it serves with."""

import http.client
import json
import signal
import ssl
import time
from pathlib import Path

import pytest
import trustme

from tests.server.process import JSON, Callers, Server, answer_from, call_on, review_bytes

GOOD = review_bytes("pod-create-volcengine-mutate")
QUIET = {"PERCARD_SERVE__QUIET_PERIOD": "1s", "PERCARD_SERVE__MAX_QUIET_PERIOD": "20s"}


class Secret:
    """A mounted Secret: files behind the link `..data`, which is swapped in one step."""

    def __init__(self, folder: Path) -> None:
        """Make the folder; there are no files in it yet."""
        folder.mkdir()
        self._folder = folder
        self._version = 0
        self.arguments = ("--cert", str(folder / "tls.crt"), "--key", str(folder / "tls.key"))

    def mount(self, certificate: bytes, key: bytes) -> None:
        """Swap the files."""
        self._version += 1
        content = self._folder / f"..{self._version}"
        content.mkdir()
        (content / "tls.crt").write_bytes(certificate)
        (content / "tls.key").write_bytes(key)
        (self._folder / "..new").symlink_to(content.name)
        (self._folder / "..new").rename(self._folder / "..data")
        for name in ("tls.crt", "tls.key"):
            if self._version == 1:
                (self._folder / name).symlink_to(f"..data/{name}")

    def issue(self, ca: trustme.CA) -> bytes:
        """Swap in a fresh leaf of a CA; return it."""
        leaf = ca.issue_cert("127.0.0.1")
        certificate = b"".join(part.bytes() for part in leaf.cert_chain_pems)
        self.mount(certificate, leaf.private_key_pem.bytes())
        return certificate


@pytest.fixture(scope="module")
def ca() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def secret(tmp_path: Path) -> Secret:
    return Secret(tmp_path / "secret")


def _trusting(ca: trustme.CA) -> ssl.SSLContext:
    return ssl.create_default_context(cadata=ca.cert_pem.bytes().decode())


def _served_leaf(server: Server) -> str:
    return ssl.get_server_certificate(("127.0.0.1", server.port))


def test_a_server_waits_unready_for_its_certificate_and_serves_as_soon_as_it_comes(tmp_path: Path, secret: Secret, ca: trustme.CA) -> None:
    with Server(tmp_path, *secret.arguments) as server:
        reason = server.wait_for("certificate not usable")["reason"]
        assert reason == f"cannot read '{tmp_path}/secret/tls.crt': No such file or directory"
        assert server.ops("/readyz") == (503, json.dumps({"ready": False, "missing": [f"no certificate: {reason}"]}).encode())
        assert server.ops("/livez")[0] == 200
        with pytest.raises(ConnectionRefusedError):
            http.client.HTTPConnection("127.0.0.1", server.port).request("GET", "/")
        secret.issue(ca)
        server.wait_for("serving")
        assert server.ops("/readyz")[0] == 200
        server.ca = _trusting(ca)
        assert server.call("/mutate", GOOD)[0] == 200


def test_a_renewed_certificate_is_served_while_old_connections_live_on(tmp_path: Path, secret: Secret, ca: trustme.CA) -> None:
    secret.issue(ca)
    with Server(tmp_path, *secret.arguments) as server:
        server.ca = _trusting(ca)
        server.wait_for("serving")
        old = server.connect()
        assert call_on(old, "/mutate", GOOD)[0] == 200
        with Callers(server) as callers:
            for renewal in range(2):
                certificate = secret.issue(ca)
                server.wait_for("certificate in force", renewal + 2)
                assert _served_leaf(server).strip().encode() in certificate
                callers.wait_for(20)
        assert callers.bad == []
        assert callers.good >= 40
        assert call_on(old, "/mutate", GOOD)[0] == 200
        old.close()
        assert server.metric('percard_reloads_total{result="ok",what="certificate"}') == 3


def test_a_bad_pair_keeps_the_one_before_and_is_told_and_counted(tmp_path: Path, secret: Secret, ca: trustme.CA) -> None:
    first = secret.issue(ca)
    with Server(tmp_path, *secret.arguments) as server:
        server.ca = _trusting(ca)
        server.wait_for("serving")
        expiry = server.metric("percard_certificate_expiry_timestamp_seconds")
        secret.mount(first, ca.issue_cert("127.0.0.1").private_key_pem.bytes())
        assert server.wait_for("certificate not usable")["reason"] == "the private key must be that of the first certificate"
        assert server.call("/mutate", GOOD)[0] == 200
        assert server.ops("/readyz")[0] == 200
        assert server.metric('percard_reloads_total{result="failed",what="certificate"}') == 1
        assert server.metric("percard_certificate_expiry_timestamp_seconds") == expiry > time.time()
        secret.issue(ca)
        server.wait_for("certificate in force", 2)


def test_only_clients_of_the_right_authority_and_name_are_heard(tmp_path: Path, secret: Secret, ca: trustme.CA) -> None:
    secret.issue(ca)
    clients = trustme.CA()
    bundle = tmp_path / "clients.pem"
    bundle.write_bytes(clients.cert_pem.bytes())
    environ = {"PERCARD_SERVE__CLIENT_CA": str(bundle), "PERCARD_SERVE__CLIENT_NAMES": "kube-apiserver"}

    def call_as(issuer: trustme.CA | None, name: str) -> int:
        context = _trusting(ca)
        if issuer:
            issuer.issue_cert("client.test", common_name=name).configure_cert(context)
        connection = server.connect(context)
        try:
            return call_on(connection, "/mutate", GOOD)[0]
        finally:
            connection.close()

    with Server(tmp_path, *secret.arguments, environ=environ) as server:
        server.wait_for("serving")
        assert call_as(clients, "kube-apiserver") == 200
        assert call_as(clients, "somebody") == 403
        for issuer in (None, trustme.CA()):
            with pytest.raises((ssl.SSLError, ConnectionError)):
                call_as(issuer, "kube-apiserver")
        others = trustme.CA()
        bundle.write_bytes(others.cert_pem.bytes())
        server.wait_for("certificate in force", 2)
        assert call_as(others, "kube-apiserver") == 200
        with pytest.raises((ssl.SSLError, ConnectionError)):
            call_as(clients, "kube-apiserver")


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
    with Server(tmp_path, "--self-signed", environ=QUIET | {"PERCARD_SERVE__QUIET_PERIOD": "0s"}) as server:
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
        assert f"cannot listen on 127.0.0.1 port {first.port}: Address already in use" in second.log_text()


def test_settings_are_read_again_and_a_mistake_keeps_those_before(tmp_path: Path) -> None:
    settings = tmp_path / "percard.yaml"
    settings.write_text("workloads: error\n")
    body = review_bytes("statefulset-create-uneven")
    with Server(tmp_path, "--self-signed", "--config", str(settings)) as server:
        server.wait_for("serving")

        def allowed() -> bool:
            return bool(json.loads(server.call("/validate", body)[1])["response"]["allowed"])

        assert not allowed()
        settings.write_text("workloads: warning\n")
        revision = server.wait_for("settings in force")["revision"]
        assert allowed()
        assert server.metric(f'percard_settings_info{{revision="{revision}"}}') == 1
        settings.write_text("workloads: sometimes\n")
        problems = server.wait_for("settings not usable")["problems"]
        assert "workloads" in problems[0]
        assert allowed()
        settings.write_text("workloads: 'off'\n")
        server.wait_for("settings in force", 2)
        assert server.metric('percard_reloads_total{result="failed",what="settings"}') == 1
        assert server.metric('percard_reloads_total{result="ok",what="settings"}') == 2


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
