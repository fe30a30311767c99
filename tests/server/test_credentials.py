"""TLS material that is exchanged as a whole or not at all."""

import ssl
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
import trustme

from webhook.server.credentials import Credentials
from webhook.server.tls import ContextError, new_context


@dataclass(frozen=True)
class Pair:
    """A pair as a source gives it."""

    certificate: bytes
    key: bytes
    expires: float


class Source:
    """A source whose pair a test sets."""

    def __init__(self, pair: Pair | None) -> None:
        self.pair = pair
        self.problem = "" if pair else "no file"
        self.authority = b""

    def poll(self) -> bool:
        return True


@pytest.fixture(scope="module")
def ca() -> trustme.CA:
    return trustme.CA()


def _pair(ca: trustme.CA, expires: float | None = None) -> Pair:
    leaf = ca.issue_cert("localhost")
    certificate = b"".join(part.bytes() for part in leaf.cert_chain_pems)
    return Pair(certificate, leaf.private_key_pem.bytes(), time.time() + 3600 if expires is None else expires)


def _serves(credentials: Credentials, ca: trustme.CA, pair: Pair) -> bool:
    """Shake hands in memory; say whether the server showed this pair's leaf."""
    assert credentials.contexts
    context = ssl.create_default_context(cadata=ca.cert_pem.bytes().decode())
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = context.wrap_bio(to_client, to_server, server_hostname="localhost")
    server = credentials.contexts.listening.wrap_bio(to_server, to_client, server_side=True)
    for _ in range(4):
        for side in (client, server):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
    leaf = client.getpeercert(binary_form=True)
    return leaf is not None and ssl.DER_cert_to_PEM_cert(leaf).strip().encode() in pair.certificate


def test_a_first_pair_is_taken_and_a_later_one_replaces_it(ca: trustme.CA) -> None:
    first, second = _pair(ca), _pair(ca)
    source = Source(first)
    credentials = Credentials(source, None)
    assert (credentials.refresh(), credentials.refresh()) == ("replaced", "")
    assert _serves(credentials, ca, first)
    source.pair = second
    assert credentials.refresh() == "replaced"
    assert _serves(credentials, ca, second)
    assert credentials.expires == second.expires


def test_a_problem_is_told_once_and_kept_until_it_is_gone(ca: trustme.CA) -> None:
    source = Source(None)
    credentials = Credentials(source, None)
    assert (credentials.refresh(), credentials.refresh(), credentials.problem) == ("failed", "", "no file")
    source.pair, source.problem = _pair(ca), ""
    assert (credentials.refresh(), credentials.problem) == ("replaced", "")


def test_what_openssl_refuses_keeps_the_pair_before(ca: trustme.CA) -> None:
    first = _pair(ca)
    source = Source(first)
    credentials = Credentials(source, None)
    credentials.refresh()
    source.pair = Pair(first.certificate, _pair(ca).key, first.expires)
    assert (credentials.refresh(), credentials.refresh()) == ("failed", "")
    assert "cannot be served with" in credentials.problem
    assert _serves(credentials, ca, first)
    source.pair = first
    assert credentials.refresh() == "replaced"
    assert credentials.problem == ""


def test_an_expired_pair_is_noticed(ca: trustme.CA) -> None:
    credentials = Credentials(Source(_pair(ca, expires=time.time() - 1)), None)
    assert not credentials.expired
    credentials.refresh()
    assert credentials.expired


def test_a_client_ca_must_be_there_and_readable(ca: trustme.CA, tmp_path: Path) -> None:
    bundle = tmp_path / "clients.pem"
    credentials = Credentials(Source(_pair(ca)), bundle)
    assert (credentials.refresh(), credentials.problem) == ("failed", f"cannot read the client CA '{bundle}': No such file or directory")
    for content, problem in (("", "must not be empty"), ("hello", "must be PEM certificates")):
        bundle.write_text(content)
        assert credentials.refresh() == "failed"
        assert problem in credentials.problem
    bundle.write_bytes(ca.cert_pem.bytes())
    assert (credentials.refresh(), credentials.problem) == ("replaced", "")


def test_a_context_speaks_only_modern_tls(ca: trustme.CA) -> None:
    context = new_context(_pair(ca))
    assert context.minimum_version is ssl.TLSVersion.TLSv1_2
    names = [cipher["name"] for cipher in context.get_ciphers()]
    assert all(name.startswith(("TLS_", "ECDHE-")) and ("GCM" in name or "CHACHA20" in name or "CCM" in name) for name in names)


def test_a_pair_that_is_none_is_refused(ca: trustme.CA) -> None:
    with pytest.raises(ContextError, match="cannot be served with"):
        new_context(Pair(b"", b"", 0.0))
    with pytest.raises(ContextError, match="must be PEM certificates"):
        new_context(_pair(ca), "ü".encode())
