"""How a server starts without a certificate, and renews what it serves with."""

import json
import socket
import ssl
import time
from pathlib import Path

import pytest
import trustme

from tests.server.callers import Callers
from tests.server.mounted import MountedSecret
from tests.server.process import Server, call_on, review_bytes

GOOD = review_bytes("pod-create-volcengine-mutate")


@pytest.fixture(scope="module")
def ca() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def secret(tmp_path: Path) -> MountedSecret:
    return MountedSecret(tmp_path / "secret")


def _trusting(ca: trustme.CA) -> ssl.SSLContext:
    return ssl.create_default_context(cadata=ca.cert_pem.bytes().decode())


def _served_leaf(server: Server) -> str:
    return ssl.get_server_certificate(("127.0.0.1", server.port))


def test_a_server_waits_unready_for_its_certificate_and_serves_as_soon_as_it_comes(
    tmp_path: Path, secret: MountedSecret, ca: trustme.CA
) -> None:
    with Server(tmp_path, *secret.arguments) as server:
        reason = server.wait_for("certificate not usable")["reason"]
        assert reason == f"cannot read '{tmp_path}/secret/tls.crt': No such file or directory"
        assert server.ops("/readyz") == (503, json.dumps({"ready": False, "missing": [f"no certificate: {reason}"]}).encode())
        assert server.ops("/livez")[0] == 200
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", server.port))
        secret.issue(ca)
        server.wait_for("serving")
        assert server.ops("/readyz")[0] == 200
        server.ca = _trusting(ca)
        assert server.call("/mutate", GOOD)[0] == 200


def test_a_renewed_certificate_is_served_while_old_connections_live_on(tmp_path: Path, secret: MountedSecret, ca: trustme.CA) -> None:
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


def test_a_bad_pair_keeps_the_one_before_and_is_told_and_counted(tmp_path: Path, secret: MountedSecret, ca: trustme.CA) -> None:
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


def test_only_clients_of_the_right_authority_and_name_are_heard(tmp_path: Path, secret: MountedSecret, ca: trustme.CA) -> None:
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
