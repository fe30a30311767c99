"""What this package raises."""


class CertificateError(Exception):
    """A certificate or key cannot be used; the text says why and never holds key material."""
