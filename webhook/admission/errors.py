"""What the admission package raises: a bad request, or a fault of percard itself."""


class AdmissionError(Exception):
    """The base of this package's exceptions."""


class BadReviewError(AdmissionError):
    """The bytes are no AdmissionReview that can be answered; the caller's mistake.

    The text says why and never echoes more than a field's name. `uid` is empty where none was read.
    """

    def __init__(self, message: str, uid: str = "") -> None:
        """Keep the request's uid, where it was read, for the log."""
        super().__init__(message)
        self.uid = uid


class HandlerFaultError(AdmissionError):
    """percard failed on a well-formed review; the cause is chained, the uid is for the log."""

    def __init__(self, uid: str) -> None:
        """Keep the request's uid for the log."""
        super().__init__(f"percard failed on request {uid}")
        self.uid = uid
