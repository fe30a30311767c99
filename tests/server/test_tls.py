"""Which versions of TLS are spoken."""

import contextlib
import socket
import ssl

import pytest

from tests.server.process import JSON, Server, call_on, request_bytes, review_bytes

GOOD = review_bytes("pod-create-volcengine-mutate")


def test_plain_http_is_not_answered(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), 10) as plain:
        plain.sendall(request_bytes(GOOD))
        with contextlib.suppress(ConnectionResetError):
            assert not plain.recv(100).startswith(b"HTTP")


def test_old_tls_is_refused(server: Server) -> None:
    context = ssl.create_default_context(cadata=server.ops("/ca.pem")[1].decode())
    context.set_ciphers("AES128-SHA:AES256-SHA")
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    connection = server.connect(context)
    with pytest.raises(ssl.SSLError):
        connection.request("POST", "/mutate", GOOD, JSON)
    connection.close()


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_both_modern_versions_of_tls_are_spoken(server: Server, version: ssl.TLSVersion) -> None:
    context = ssl.create_default_context(cadata=server.ops("/ca.pem")[1].decode())
    context.minimum_version = context.maximum_version = version
    connection = server.connect(context)
    assert call_on(connection, "/mutate", GOOD)[0] == 200
    connection.close()
