"""What a server may serve with, and how it is told what it may not."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, PrivateFormat, load_pem_private_key

from certs.authority import Authority, load_authority, new_authority
from certs.errors import CertificateError
from certs.pair import Pair, checked_pair, read_bounded

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture(scope="module")
def authority() -> Authority:
    return new_authority("test", 10 * DAY, NOW)


def _encrypted(pair: Pair) -> bytes:
    key = load_pem_private_key(pair.key, None)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret"))


def test_a_pair_is_renewed_after_two_thirds_of_its_life() -> None:
    assert Pair(b"", b"", starts=100.0, expires=400.0).renewal_due == 300.0


def test_a_pair_shows_no_key_in_a_trace() -> None:
    assert "secret" not in repr(Pair(b"cert", b"secret", 0.0, 1.0))


def test_a_usable_pair_is_returned_as_it_was_written(authority: Authority) -> None:
    pair = authority.issue(["localhost"], DAY, NOW)
    assert checked_pair(pair.certificate, pair.key, NOW.timestamp()) == pair
    assert pair.expires == (NOW + DAY).timestamp()


def test_a_chain_is_told_from_its_first_certificate(authority: Authority) -> None:
    pair = authority.issue(["localhost"], DAY, NOW)
    assert checked_pair(pair.certificate + authority.certificate, pair.key, NOW.timestamp()).expires == pair.expires


def test_a_pair_that_cannot_be_used_says_why(authority: Authority) -> None:
    pair, other = (authority.issue(["localhost"], DAY, NOW) for _ in range(2))
    for certificate, key, now, reason in (
        (b"", pair.key, NOW, "must be a PEM chain"),
        (b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", pair.key, NOW, "must be a PEM chain"),
        (pair.key, pair.key, NOW, "must be a PEM chain"),
        (pair.certificate, b"nonsense", NOW, "must be a PEM key"),
        (pair.certificate, _encrypted(pair), NOW, "must not be encrypted"),
        (pair.certificate, other.key, NOW, "must be that of the first certificate"),
        (pair.certificate, pair.key, NOW + DAY, "expired at 2026-12-01T12:00:00"),
    ):
        with pytest.raises(CertificateError, match=reason):
            checked_pair(certificate, key, now.timestamp())


def test_a_stored_authority_issues_what_its_first_certificate_vouches_for(authority: Authority) -> None:
    again = load_authority(authority.certificate, authority.pair.key, NOW.timestamp())
    assert again == authority


def test_a_leaf_is_no_authority(authority: Authority) -> None:
    pair = authority.issue(["localhost"], DAY, NOW)
    with pytest.raises(CertificateError, match="must be that of an authority"):
        load_authority(pair.certificate, pair.key, NOW.timestamp())


def test_a_leaf_never_outlives_its_authority(authority: Authority) -> None:
    pair = authority.issue(["localhost"], 100 * DAY, NOW)
    assert pair.expires == authority.pair.expires
    assert pair.starts == authority.pair.starts


def test_a_file_that_is_missing_or_too_large_is_named(tmp_path: Path) -> None:
    with pytest.raises(CertificateError, match="No such file"):
        read_bounded(tmp_path / "tls.crt")
    (tmp_path / "large").write_bytes(b"x" * ((1 << 20) + 1))
    with pytest.raises(CertificateError, match="must be smaller"):
        read_bounded(tmp_path / "large")
