"""What this package raises, and what the library underneath raises for bytes that others have written."""

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm

# Much of a certificate is read only when it is asked for, so that any question may meet what is wrong with it.
UNREADABLE = (
    ValueError,
    TypeError,
    UnsupportedAlgorithm,
    InvalidSignature,
    x509.InvalidVersion,
    x509.DuplicateExtension,
    x509.UnsupportedGeneralNameType,
    x509.ExtensionNotFound,
)


class CertificateError(Exception):
    """A certificate or key cannot be used; the text says why and never holds key material."""


class ClusterError(CertificateError):
    """The API server refused something or could not be reached."""


class ConflictError(ClusterError):
    """Somebody else wrote in between: what was read is no longer so."""
