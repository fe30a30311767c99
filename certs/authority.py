"""A certificate authority of one's own that issues the certificates of servers."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TYPE_CHECKING, cast

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from certs.errors import CertificateError
from certs.inspection import DAMAGED
from certs.pair import Pair, checked_pair

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.types import CertificateIssuerPrivateKeyTypes

# Clocks of a cluster's machines differ by seconds; a certificate must not start in a client's future.
_CLOCK_SKEW = timedelta(minutes=5)
# RFC 5280, upper bound of a common name.
_LONGEST_COMMON_NAME = 64


@dataclass(frozen=True, slots=True)
class Authority:
    """A CA: its certificate, which clients trust, and its key, which stays here."""

    pair: Pair

    @property
    def certificate(self) -> bytes:
        """Return the PEM certificate for clients."""
        return self.pair.certificate

    def issue(self, names: Iterable[str], life: timedelta, now: datetime) -> Pair:
        """Return a server's pair for the given DNS names and IP addresses.

        It starts five minutes early, but never before its CA, and never outlives it.
        """
        key = ec.generate_private_key(ec.SECP256R1())
        wanted = list(names)
        ours = x509.load_pem_x509_certificate(self.pair.certificate)
        usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
        builder = (
            _builder(
                wanted[0], ours.subject, key, max(now - _CLOCK_SKEW, ours.not_valid_before_utc), min(now + life, ours.not_valid_after_utc)
            )
            .add_extension(x509.SubjectAlternativeName(list(map(_general_name, wanted))), critical=False)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_key_usage(ca=False), critical=True)
            .add_extension(usage, critical=False)
        )
        signed = _signed(builder, key, load_pem_private_key(self.pair.key, None), ours)
        return _pair(signed, key)


def new_authority(name: str, life: timedelta, now: datetime) -> Authority:
    """Return a fresh CA whose common name is `name`."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = _subject(name)
    builder = (
        _builder(name, subject, key, now - _CLOCK_SKEW, now + life)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_key_usage(ca=True), critical=True)
    )
    return Authority(_pair(_signed(builder, key, key, None), key))


def load_authority(certificate: bytes, key: bytes, now: float) -> Authority:
    """Return a CA that was stored; raises `CertificateError` where the two are no usable pair or no CA."""
    authority = Authority(checked_pair(certificate, key, now))
    try:
        extensions = x509.load_pem_x509_certificate(certificate).extensions
        is_authority = extensions.get_extension_for_class(x509.BasicConstraints).value.ca
        # A key that signs in another way, a certificate that lacks what leaves refer to: found out now, not when a leaf is due.
        authority.issue(["percard"], _CLOCK_SKEW, datetime.fromtimestamp(now, UTC))
    except DAMAGED:
        is_authority = False
    if not is_authority:
        message = "the certificate must be that of an authority"
        raise CertificateError(message)
    return authority


def _builder(name: str, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, starts: datetime, expires: datetime) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(_subject(name))
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(starts.astimezone(UTC))
        .not_valid_after(expires.astimezone(UTC))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _signed(
    builder: x509.CertificateBuilder, key: ec.EllipticCurvePrivateKey, issuer_key: object, issuer: x509.Certificate | None
) -> x509.Certificate:
    if issuer is None:
        identifier = x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key())
    else:
        known = issuer.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
        identifier = x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(known)
    return builder.add_extension(identifier, critical=False).sign(cast("CertificateIssuerPrivateKeyTypes", issuer_key), hashes.SHA256())


def _pair(certificate: x509.Certificate, key: ec.EllipticCurvePrivateKey) -> Pair:
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    starts, expires = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    return Pair(certificate.public_bytes(Encoding.PEM), private, starts.timestamp(), expires.timestamp())


def _subject(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name[:_LONGEST_COMMON_NAME])])


def _general_name(name: str) -> x509.GeneralName:
    address = _address(name)
    return x509.DNSName(name) if address is None else x509.IPAddress(address)


def _address(name: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(name)
    except ValueError:
        return None


def _key_usage(*, ca: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not ca,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=ca,
        crl_sign=ca,
        encipher_only=False,
        decipher_only=False,
    )
