"""Certificates whose text is PEM and whose inside is not what it should be: refused in words, wherever they are looked at."""

import base64
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from certs.authority import Authority, load_authority, new_authority
from certs.errors import CertificateError
from certs.inspection import authorities_called, is_issued_by, names_of
from certs.pair import Pair, checked_pair
from certs.source import FileSource

NOW = datetime(2027, 1, 1, tzinfo=UTC)
AUTHORITY = new_authority("percard-ca", timedelta(days=30), NOW)
LEAF = AUTHORITY.issue(["percard.svc"], timedelta(days=7), NOW)
# Object identifiers in DER: a public key on an elliptic curve, the curve P-256, the extension with the names.
_EC_KEY, _CURVE, _NAMES = bytes.fromhex("06072a8648ce3d0201"), bytes.fromhex("06082a8648ce3d030107"), bytes.fromhex("0603551d11")
_CONSTRAINTS = bytes.fromhex("0603551d13")
# The uncompressed point of a public key comes as a string of bits that begins so.
_POINT = bytes.fromhex("03420004")


def _inside(pem: bytes, change: Callable[[bytes], bytes]) -> bytes:
    lines = pem.strip().splitlines()
    der = base64.b64decode(b"".join(lines[1:-1]))
    changed = change(der)
    assert changed != der
    assert len(changed) == len(der)
    return b"\n".join([lines[0], base64.encodebytes(changed).strip(), lines[-1]]) + b"\n"


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "a key of a kind that does not exist": lambda der: der.replace(_EC_KEY, _EC_KEY[:-1] + b"\x05"),
    "a curve that does not exist": lambda der: der.replace(_CURVE, _CURVE[:-1] + b"\x7f"),
    "a point that is on no curve": lambda der: der.replace(_POINT, _POINT[:-1] + b"\x09"),
}
BELOW: dict[str, Callable[[bytes], bytes]] = {
    "names that end before they begin": lambda der: der.replace(_NAMES, _NAMES[:-1] + b"\x13"),
    "constraints that are names": lambda der: der.replace(_CONSTRAINTS, _CONSTRAINTS[:-1] + b"\x11"),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_a_damaged_certificate_is_refused_in_words(what: str) -> None:
    with pytest.raises(CertificateError, match="must be a PEM chain"):
        checked_pair(_inside(LEAF.certificate, DAMAGE[what]), LEAF.key, NOW.timestamp())


@pytest.mark.parametrize("what", DAMAGE)
def test_a_damaged_file_keeps_the_pair_before(what: str, tmp_path: Path) -> None:
    certificate, key = tmp_path / "tls.crt", tmp_path / "tls.key"
    certificate.write_bytes(LEAF.certificate)
    key.write_bytes(LEAF.key)
    source = FileSource(certificate, key, NOW.timestamp)
    assert source.poll()
    certificate.write_bytes(_inside(LEAF.certificate, DAMAGE[what]))
    assert not source.poll()
    assert source.pair is not None
    assert source.pair.certificate == LEAF.certificate
    assert source.problem.startswith("the certificate must be a PEM chain")


@pytest.mark.parametrize("what", [*DAMAGE, *BELOW])
def test_whoever_looks_at_a_damaged_certificate_goes_on(what: str) -> None:
    change = (DAMAGE | BELOW)[what]
    leaf, authority = (_inside(pem, change) if _has(pem, change) else pem for pem in (LEAF.certificate, AUTHORITY.certificate))
    assert not is_issued_by(leaf, authority)
    assert names_of(leaf) <= {"percard.svc"}
    assert set(authorities_called("percard-ca", [leaf, authority], NOW.timestamp())) == {AUTHORITY.certificate} & {authority}


def _has(pem: bytes, change: Callable[[bytes], bytes]) -> bool:
    der = base64.b64decode(b"".join(pem.strip().splitlines()[1:-1]))
    return change(der) != der


def _authority_like(key: ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey, *extensions: x509.ExtensionType) -> Authority:
    """Return a CA as somebody else may have made it."""
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "percard-ca")])
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
    builder = builder.not_valid_before(NOW - timedelta(days=1)).not_valid_after(NOW + timedelta(days=9))
    for extension in (x509.BasicConstraints(ca=True, path_length=None), *extensions):
        builder = builder.add_extension(extension, critical=False)
    algorithm = hashes.SHA256() if isinstance(key, ec.EllipticCurvePrivateKey) else None
    pem = builder.sign(key, algorithm).public_bytes(Encoding.PEM)
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return Authority(Pair(pem, private, 0, 0))


CURVE_KEY, OTHER_KEY = ec.generate_private_key(ec.SECP256R1()), ed25519.Ed25519PrivateKey.generate()


@pytest.mark.parametrize(
    "stored",
    [
        pytest.param(_authority_like(CURVE_KEY), id="without the identifier that leaves refer to"),
        pytest.param(
            _authority_like(OTHER_KEY, x509.SubjectKeyIdentifier.from_public_key(OTHER_KEY.public_key())),
            id="with a key that signs otherwise",
        ),
        pytest.param(
            Authority(Pair(_inside(AUTHORITY.certificate, BELOW["constraints that are names"]), AUTHORITY.pair.key, 0, 0)), id="damaged"
        ),
    ],
)
def test_an_authority_that_could_issue_nothing_is_refused_before_it_is_needed(stored: Authority) -> None:
    with pytest.raises(CertificateError, match="must be that of an authority"):
        load_authority(stored.pair.certificate, stored.pair.key, NOW.timestamp())


def test_an_authority_of_somebody_else_that_can_is_taken() -> None:
    stored = _authority_like(CURVE_KEY, x509.SubjectKeyIdentifier.from_public_key(CURVE_KEY.public_key()))
    leaf = load_authority(stored.pair.certificate, stored.pair.key, NOW.timestamp()).issue(["a"], timedelta(days=1), NOW)
    assert is_issued_by(leaf.certificate, stored.certificate)
