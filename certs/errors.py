"""What this package raises."""


class CertificateError(Exception):
    """A certificate or key cannot be used; the text says why and never holds key material."""


class ClusterError(CertificateError):
    """The API server refused something or could not be reached."""


class ConflictError(ClusterError):
    """Somebody else wrote in between: what was read is no longer so."""
