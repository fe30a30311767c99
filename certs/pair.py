"""A certificate chain with its private key, checked before anything is served with it."""

import os
import stat
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.types import PublicKeyTypes
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from certs.errors import CertificateError
from certs.inspection import DAMAGED

# A chain with its key has a few kilobytes; whatever is larger is some other file.
_LARGEST_FILE = 1 << 20
# cert-manager renews at the same point of a certificate's life (pkg/util/pki, RenewalTime).
_RENEWED_AFTER = 2 / 3


@dataclass(frozen=True, slots=True)
class Pair:
    """A PEM chain, leaf first, and the PEM key of the leaf. Times are POSIX seconds."""

    certificate: bytes
    key: bytes
    starts: float
    expires: float

    def __repr__(self) -> str:
        """Leave the key out of logs and traces."""
        return f"Pair(expires={datetime.fromtimestamp(self.expires, UTC).isoformat()})"

    @property
    def renewal_due(self) -> float:
        """Return when two thirds of its life are over."""
        return self.starts + (self.expires - self.starts) * _RENEWED_AFTER

    def serves_at(self, now: float) -> bool:
        """Say whether it has begun and needs no renewal yet."""
        return self.starts <= now < self.renewal_due


def checked_pair(certificate: bytes, key: bytes, now: float) -> Pair:
    """Return the pair if a server can use it at `now`.

    Raises `CertificateError` where either is no PEM, they do not belong together, or the leaf has expired.
    """
    leaf, leaf_key = _leaf(certificate)
    if _public_key(key) != leaf_key:
        message = "the private key must be that of the first certificate"
        raise CertificateError(message)
    pair = Pair(certificate, key, leaf.not_valid_before_utc.timestamp(), leaf.not_valid_after_utc.timestamp())
    if pair.expires <= now:
        message = f"the certificate expired at {leaf.not_valid_after_utc.isoformat()}"
        raise CertificateError(message)
    return pair


def _leaf(certificate: bytes) -> tuple[x509.Certificate, PublicKeyTypes]:
    try:
        leaf = x509.load_pem_x509_certificates(certificate)[0]
        return leaf, leaf.public_key()
    except DAMAGED:
        message = "the certificate must be a PEM chain, the server's own first"
        raise CertificateError(message) from None


def _public_key(key: bytes) -> PublicKeyTypes:
    try:
        return load_pem_private_key(key, password=None).public_key()
    except TypeError:
        message = "the private key must not be encrypted"
    except DAMAGED:
        message = "the private key must be a PEM key"
    raise CertificateError(message) from None


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)


def read_bounded(path: Path) -> bytes:
    """Return the bytes of a small file; raises `CertificateError` that names a file that cannot be read.

    Nothing is waited for: a pipe in its place would hold up whoever looks after the certificates for ever.
    """
    try:
        with open(path, "rb", opener=_at_once) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                message = f"'{path}' must be a file"
                raise CertificateError(message)
            content = file.read(_LARGEST_FILE + 1)
    except OSError as problem:
        message = f"cannot read '{path}': {problem.strerror}"
        raise CertificateError(message) from None
    if len(content) > _LARGEST_FILE:
        message = f"'{path}' must be smaller than {_LARGEST_FILE} bytes"
        raise CertificateError(message)
    return content
