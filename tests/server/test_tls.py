"""Which versions of TLS are spoken."""

import contextlib
import socket
import ssl

import pytest

from tests.server.process import JSON, Server, call_on, review_bytes

GOOD = review_bytes("pod-create-volcengine-mutate")
UID = "58e4b913-ce21-4671-b30e-c1a69ba6cf84"
HEAD = b"POST /mutate?timeout=10s HTTP/1.1\r\nHost: percard\r\nContent-Type: application/json\r\n"
CAP = 7 << 20


def _request(body: bytes = GOOD, head: bytes = HEAD) -> bytes:
    return head + b"Content-Length: %d\r\n\r\n" % len(body) + body


def test_plain_http_is_not_answered(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), 10) as plain:
        plain.sendall(_request())
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
