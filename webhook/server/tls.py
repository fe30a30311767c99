"""TLS contexts: made from PEM bytes in memory, and exchanged under a running server."""

import os
import ssl
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

# Forward secrecy and authenticated encryption alone (Mozilla, "intermediate"; RFC 9325); TLS 1.3 has no others.
CIPHERS = "ECDHE+AESGCM:ECDHE+CHACHA20"


class PairInForce(Protocol):
    """A PEM chain with its key."""

    @property
    def certificate(self) -> bytes:
        """Return the PEM chain, leaf first."""

    @property
    def key(self) -> bytes:
        """Return the PEM key of the leaf."""

    @property
    def expires(self) -> float:
        """Return when the leaf expires, in POSIX seconds."""


class CertificateSource(Protocol):
    """Where the server's pair comes from.

    `poll` looks for another one and says whether there is; `pair` is the one to serve with, `problem` what
    stands against the newest, empty where nothing does. `authority` is the PEM certificate that clients
    must trust, empty where they have it from elsewhere.
    """

    @property
    def pair(self) -> PairInForce | None:
        """Return the pair to serve with."""

    @property
    def problem(self) -> str:
        """Return what is wrong at present."""

    @property
    def authority(self) -> bytes:
        """Return the certificate that clients must trust."""

    def poll(self) -> bool:
        """Look again; may read files or make keys, and raises nothing."""


class ContextError(Exception):
    """OpenSSL refuses the material; the text says which part."""


def new_context(pair: PairInForce, client_ca: bytes = b"") -> ssl.SSLContext:
    """Return a server's context: TLS 1.2 or 1.3, HTTP/1.1; with `client_ca` clients must have a certificate of it.

    Raises `ContextError`.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers(CIPHERS)
    context.set_alpn_protocols(["http/1.1"])
    context.options |= ssl.OP_NO_RENEGOTIATION | ssl.OP_NO_COMPRESSION
    try:
        with _readable(pair.certificate + b"\n" + pair.key) as path:
            context.load_cert_chain(path)
    except (ssl.SSLError, OSError) as problem:
        message = f"the certificate cannot be served with: {_reason(problem)}"
        raise ContextError(message) from None
    if client_ca:
        _demand_clients_of(context, client_ca)
    return context


def _demand_clients_of(context: ssl.SSLContext, client_ca: bytes) -> None:
    try:
        context.load_verify_locations(cadata=client_ca.decode("ascii"))
    except (ssl.SSLError, UnicodeDecodeError, ValueError) as problem:
        message = f"the client CA must be PEM certificates: {_reason(problem)}"
        raise ContextError(message) from None
    context.verify_mode = ssl.CERT_REQUIRED


def _reason(problem: Exception) -> str:
    return str(getattr(problem, "reason", None) or type(problem).__name__)


@contextmanager
def _readable(content: bytes) -> Iterator[str]:
    """Yield a path under which OpenSSL can read the bytes; on Linux it is memory, so no key touches a disk."""
    if hasattr(os, "memfd_create"):
        handle = os.memfd_create("pair")
        path = f"/proc/self/fd/{handle}"
    else:
        handle, path = tempfile.mkstemp()
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            yield path
    finally:
        if not path.startswith("/proc/"):
            Path(path).unlink()


class Contexts:
    """The context that new connections get.

    The listening context stays the same object: the callback of its handshakes hands each of them over to the
    newest one. Established connections keep theirs, and a pair that OpenSSL refuses never gets near either.
    """

    def __init__(self, first: ssl.SSLContext) -> None:
        """Take the context to listen with."""
        self.listening = first
        self._newest = first
        first.sni_callback = self._choose

    def replace(self, context: ssl.SSLContext) -> None:
        """Use another context for all handshakes to come."""
        self._newest = context

    def _choose(self, connection: ssl.SSLObject | ssl.SSLSocket, _: str, __: ssl.SSLContext) -> None:
        connection.context = self._newest
