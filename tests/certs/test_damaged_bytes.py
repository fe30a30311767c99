"""Certificates and keys with one wrong byte, or cut anywhere: none of them is more than refused."""

import base64
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from certs.authority import new_authority
from certs.controller_state import Stored, from_data, to_data
from certs.errors import CertificateError
from certs.inspection import authorities_called, certificates_in, is_issued_by, names_of, pem_parts
from certs.pair import checked_pair

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
AUTHORITY = new_authority("test", timedelta(days=10), NOW)
PAIR = AUTHORITY.issue(["localhost", "127.0.0.1"], timedelta(days=1), NOW)
# A bit at each end, nothing, everything, and the tags of an integer, an object identifier and a sequence.
CHANGES = (lambda byte: byte ^ 1, lambda byte: byte ^ 128, lambda _: 0, lambda _: 255, lambda _: 2, lambda _: 6, lambda _: 48)
# Of some damage cryptography warns: a negative serial number, a country of nine letters.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def _damaged(pem: bytes) -> Iterator[bytes]:
    """Yield a PEM text with each byte of its content changed in each way."""
    first, *lines, last = pem.strip().split(b"\n")
    content = base64.b64decode(b"".join(lines))
    for position, byte in enumerate(content):
        for value in {change(byte) for change in CHANGES} - {byte}:
            changed = content[:position] + bytes([value]) + content[position + 1 :]
            yield b"\n".join([first, base64.b64encode(changed), last, b""])


def _is_refused(certificate: bytes, key: bytes) -> bool:
    try:
        checked_pair(certificate, key, NOW.timestamp())
    except CertificateError:
        return True
    return False


def test_a_pair_that_is_cut_anywhere_is_refused() -> None:
    """The line end after the last line may be missing."""
    for certificate, key in ((PAIR.certificate[:length], PAIR.key) for length in range(len(PAIR.certificate) - 1)):
        assert _is_refused(certificate, key)
    for certificate, key in ((PAIR.certificate, PAIR.key[:length]) for length in range(len(PAIR.key) - 1)):
        assert _is_refused(certificate, key)


def test_a_certificate_with_a_wrong_byte_is_refused_or_used_and_nothing_else() -> None:
    """The signature cannot be judged without the authority, so that some are used."""
    refused = [_is_refused(certificate, PAIR.key) for certificate in _damaged(PAIR.certificate)]
    assert len(refused) > 2000
    assert refused.count(True) > 500


def test_a_key_with_a_wrong_byte_is_refused_or_used_and_nothing_else() -> None:
    refused = [_is_refused(PAIR.certificate, key) for key in _damaged(PAIR.key)]
    assert len(refused) > 500
    assert refused.count(True) > 400


def test_questions_about_a_certificate_with_a_wrong_byte_have_an_answer() -> None:
    for certificate in _damaged(PAIR.certificate):
        assert names_of(certificate) <= names_of(certificate)
        assert len(pem_parts(certificate)) == len(certificates_in(certificate)) <= 1
        assert is_issued_by(certificate, AUTHORITY.certificate) in (True, False)
        assert is_issued_by(PAIR.certificate, certificate) is False
        assert authorities_called("test", [certificate], NOW.timestamp()) == {}


@pytest.mark.parametrize("entry", ["signing.crt", "tls.crt", "retired.crt"])
def test_a_secret_with_a_wrong_byte_is_read(entry: str) -> None:
    data = to_data(Stored(authority=AUTHORITY, pair=PAIR))
    whole = from_data(data, NOW.timestamp())
    assert (whole.authority, whole.pair) == (AUTHORITY, PAIR)
    for certificate in _damaged(AUTHORITY.certificate if entry != "tls.crt" else PAIR.certificate):
        stored = from_data(data | {entry: certificate}, NOW.timestamp())
        assert entry == "signing.crt" or stored.authority == AUTHORITY
        assert entry == "tls.crt" or stored.pair == PAIR
