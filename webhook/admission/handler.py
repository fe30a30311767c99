"""The handler: bytes of an AdmissionReview in, bytes of the answer out."""

from typing import Any, Protocol

from webhook.admission.errors import AdmissionError, HandlerFaultError
from webhook.admission.reply import Answer, Case, answer_of, response_of
from webhook.admission.scope import Endpoint, creation_stage, is_leaving, is_mirror, may_concern, subject_of, typed
from webhook.admission.texts import AuditTexts
from webhook.admission.wire import Request, Response, Review, read_object, read_review
from webhook.core.engine import Verdict
from webhook.core.plugin import Dialect
from webhook.core.share import Stage

_NOTHING_TO_SAY = Verdict()


class Judge(Protocol):
    """What the handler needs of an engine."""

    dialects: tuple[Dialect, ...]

    def mentions_marks(self, text: str | bytes) -> bool:
        """Say whether the text of an object may carry a mark."""

    def examine(self, obj: Any, old: Any = None, *, stage: Stage = ...) -> Verdict:
        """Return the verdict on an object."""


class Handler:
    """Answers AdmissionReviews by the engine that it holds."""

    def __init__(self, engine: Judge, version: str) -> None:
        """Take the engine and percard's version, which the audit annotations tell."""
        self.engine = engine
        self._audit = AuditTexts(engine.dialects, version)

    def respond(self, endpoint: Endpoint, body: bytes) -> Answer:
        """Answer the bytes of an AdmissionReview in the version that it came in.

        Raises `BadReviewError` where the bytes cannot be answered, `HandlerFaultError` where percard fails.
        """
        review = read_review(body)
        try:
            return self._answer(endpoint, review)
        except AdmissionError:
            raise
        except Exception as fault:
            raise HandlerFaultError(review.request.uid) from fault

    def _answer(self, endpoint: Endpoint, review: Review) -> Answer:
        request = review.request
        obj = self._marked_object(endpoint, request)
        subject = subject_of(request, obj)
        case = Case(endpoint, review, subject, _NOTHING_TO_SAY)
        if obj is None:
            return answer_of(case, Response(request.uid, allowed=True))
        case.verdict = self._ratcheted(request, obj) if request.operation == "UPDATE" else self._created(case, obj)
        case.dialects = case.verdict.dialects
        return answer_of(case, response_of(case, self._audit))

    def _marked_object(self, endpoint: Endpoint, request: Request) -> dict[str, Any] | None:
        """Return the object where it can carry a share; most requests are let through without being decoded."""
        if not may_concern(endpoint, request) or not self.engine.mentions_marks(bytes(request.object)):
            return None
        obj = read_object(request.object, request)
        return obj if isinstance(obj, dict) and not is_mirror(obj) else None

    def _created(self, case: Case, obj: dict[str, Any]) -> Verdict:
        if case.endpoint == "mutate" and not case.subject.is_pod:
            return _NOTHING_TO_SAY
        return self.engine.examine(typed(obj, case.review.request), stage=creation_stage(case.endpoint))

    def _ratcheted(self, request: Request, obj: dict[str, Any]) -> Verdict:
        """Examine an UPDATE; without the old object nothing of the new one was there before."""
        old = read_object(request.old_object, request)
        if not isinstance(old, dict):
            return self.engine.examine(typed(obj, request), {}, stage=Stage.UPDATE)
        if is_leaving(old):
            return _NOTHING_TO_SAY
        return self.engine.examine(typed(obj, request), typed(old, request), stage=Stage.UPDATE)
