"""The handler: bytes of an AdmissionReview in, bytes of the answer out."""

from typing import Any, Protocol

from webhook.admission.errors import AdmissionError, HandlerFaultError
from webhook.admission.heads import PodReview, read_new_pod, read_pod
from webhook.admission.memory import Memory
from webhook.admission.reply import NOTHING_TO_SAY, Answer, Ruling, answer_of, ruling_of
from webhook.admission.scope import (
    Endpoint,
    Subject,
    creation_stage,
    is_leaving,
    is_mirror,
    may_concern,
    subject_of,
    typed,
)
from webhook.admission.texts import AuditTexts
from webhook.admission.wire import Request, Review, read_object, read_review
from webhook.core.engine import Verdict
from webhook.core.plugin import Dialect
from webhook.core.share import Stage


class Judge(Protocol):
    """What the handler needs of an engine."""

    dialects: tuple[Dialect, ...]

    def mentions_marks(self, text: str | bytes) -> bool:
        """Say whether the text of an object may carry a mark."""

    def examine(self, obj: Any, old: Any = None, *, stage: Stage = ...) -> Verdict:
        """Return the verdict on an object."""


class Handler:
    """Answers AdmissionReviews by the engine that it holds."""

    def __init__(self, engine: Judge, version: str, memory: Memory | None = None) -> None:
        """Take the engine, percard's version, which the audit annotations tell, and the memory for its rulings."""
        self.engine = engine
        self._memory = Memory() if memory is None else memory
        self._audit = AuditTexts(engine.dialects, version)

    def respond(self, endpoint: Endpoint, body: bytes) -> Answer:
        """Answer the bytes of an AdmissionReview in the version that it came in.

        Raises `BadReviewError` where the bytes cannot be answered, `HandlerFaultError` where percard fails.
        """
        review = read_new_pod(body) or read_review(body)
        try:
            return self._answer_new_pod(endpoint, review, body) if isinstance(review, PodReview) else self._answer(endpoint, review)
        except AdmissionError:
            raise
        except Exception as fault:
            raise HandlerFaultError(review.request.uid) from fault

    def _answer_new_pod(self, endpoint: Endpoint, review: PodReview, body: bytes) -> Answer:
        request = review.request
        metadata = request.object.metadata
        subject = Subject("", "Pod", request.name or metadata.name or metadata.generate_name)
        parts = bytes(metadata.labels), bytes(metadata.annotations), bytes(request.object.spec)
        if not self.engine.mentions_marks(b"".join(parts)):
            return answer_of(endpoint, review, subject, NOTHING_TO_SAY)
        key = self._memory.key(endpoint, *parts)
        ruling = self._memory.recall(key)
        if ruling is None:
            ruling = self._ruling_on_new(endpoint, read_pod(body, request.uid))
            self._memory.keep(key, ruling)
        return answer_of(endpoint, review, subject, ruling)

    def _answer(self, endpoint: Endpoint, review: Review) -> Answer:
        request = review.request
        if not may_concern(endpoint, request) or not self.engine.mentions_marks(bytes(request.object)):
            return answer_of(endpoint, review, subject_of(request, None), NOTHING_TO_SAY)
        obj = read_object(request.object, request)
        subject = subject_of(request, obj if isinstance(obj, dict) else None)
        if endpoint == "mutate" and not subject.is_pod:
            return answer_of(endpoint, review, subject, NOTHING_TO_SAY)
        return answer_of(endpoint, review, subject, self._ruling(endpoint, request, obj))

    def _ruling(self, endpoint: Endpoint, request: Request, obj: Any) -> Ruling:
        if not isinstance(obj, dict):
            return NOTHING_TO_SAY
        if request.operation == "CREATE":
            return self._ruling_on_new(endpoint, typed(obj, request))
        return NOTHING_TO_SAY if is_mirror(obj) else ruling_of(endpoint, self._ratcheted(request, obj), self._audit)

    def _ruling_on_new(self, endpoint: Endpoint, obj: dict[str, Any]) -> Ruling:
        if is_mirror(obj):
            return NOTHING_TO_SAY
        return ruling_of(endpoint, self.engine.examine(obj, stage=creation_stage(endpoint)), self._audit)

    def _ratcheted(self, request: Request, obj: dict[str, Any]) -> Verdict:
        """Examine an UPDATE; without the old object nothing of the new one was there before."""
        old = read_object(request.old_object, request)
        if not isinstance(old, dict):
            return self.engine.examine(typed(obj, request), {}, stage=Stage.UPDATE)
        if is_leaving(old):
            return Verdict()
        return self.engine.examine(typed(obj, request), typed(old, request), stage=Stage.UPDATE)
