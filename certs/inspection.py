"""Questions about certificates that somebody else may have written: none of them raises."""

from collections.abc import Iterable

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

# What cryptography raises for damaged certificates and keys: one wrong byte may show only when a part is asked for.
DAMAGED = (
    ValueError,
    TypeError,
    UnsupportedAlgorithm,
    x509.InvalidVersion,
    x509.DuplicateExtension,
    x509.ExtensionNotFound,
    x509.UnsupportedGeneralNameType,
)


def certificates_in(pem: bytes) -> list[x509.Certificate]:
    """Return the certificates of a PEM text, none where it is not one."""
    try:
        return x509.load_pem_x509_certificates(pem)
    except DAMAGED:
        return []


def pem_parts(bundle: bytes) -> list[bytes]:
    """Return the certificates of a PEM text, each as a PEM text of its own."""
    return [certificate.public_bytes(Encoding.PEM) for certificate in certificates_in(bundle)]


def is_issued_by(certificate: bytes, authority: bytes) -> bool:
    """Say whether the first certificate of a chain was signed by an authority."""
    leaf, issuer = certificates_in(certificate), certificates_in(authority)
    if not leaf or not issuer:
        return False
    try:
        leaf[0].verify_directly_issued_by(issuer[0])
    except (*DAMAGED, InvalidSignature):
        return False
    return True


def names_of(certificate: bytes) -> frozenset[str]:
    """Return the DNS names and IP addresses that a certificate is made out to."""
    try:
        (leaf, *_) = x509.load_pem_x509_certificates(certificate)
        names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        return frozenset(names.get_values_for_type(x509.DNSName)) | {str(found) for found in names.get_values_for_type(x509.IPAddress)}
    except DAMAGED:
        return frozenset()


def authorities_called(name: str, bundles: Iterable[bytes], now: float) -> dict[bytes, float]:
    """Return the authorities of that common name among PEM bundles that are valid at `now`: certificate → expiry, POSIX seconds."""
    found = {}
    for certificate in (certificate for bundle in bundles for certificate in certificates_in(bundle)):
        expires = _expiry(certificate)
        if expires > now and _is_authority(certificate, name):
            found[certificate.public_bytes(Encoding.PEM)] = expires
    return found


def _expiry(certificate: x509.Certificate) -> float:
    """Return when a certificate expires, 0 where that cannot be read."""
    try:
        return certificate.not_valid_after_utc.timestamp()
    except DAMAGED:
        return 0.0


def _is_authority(certificate: x509.Certificate, name: str) -> bool:
    try:
        certificate.public_key()  # with a key that nobody can read it vouches for nothing
        constraints = certificate.extensions.get_extension_for_class(x509.BasicConstraints).value
        names = [attribute.value for attribute in certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)]
    except DAMAGED:
        return False
    return constraints.ca and names == [name]
