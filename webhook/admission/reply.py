"""What is answered at each endpoint, given the verdict."""

from typing import Literal

import msgspec

from webhook.admission.heads import PodReview
from webhook.admission.scope import Endpoint, Subject
from webhook.admission.texts import AuditTexts, cause_message, denial_message, warning_texts
from webhook.admission.wire import Cause, Details, Response, Review, Status, write_patch, write_review
from webhook.core.engine import Verdict
from webhook.core.finding import Finding

Outcome = Literal["allowed", "patched", "warned", "denied"]

# What the API server itself answers for an invalid object.
UNPROCESSABLE = 422


class Answer(msgspec.Struct, frozen=True, gc=False):
    """The bytes that go back, and what the log and the metrics say about them.

    `name` is the object's, its `generateName` where it has none. `patch_operations` is a count.
    """

    body: bytes
    endpoint: Endpoint
    uid: str
    operation: str
    kind: str
    namespace: str
    name: str
    outcome: Outcome
    dialects: tuple[str, ...]
    findings: tuple[Finding, ...]
    patch_operations: int


class Ruling(msgspec.Struct, frozen=True, gc=False):
    """What is answered for an object, whatever it is called: all of an answer but uid and names.

    `patch` is JSON. `causes` are there where the object is denied, and `message` says the same in one text.
    """

    dialects: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    audit: dict[str, str] | None = None
    patch: bytes | None = None
    patch_operations: int = 0
    warnings: list[str] | None = None
    causes: list[Cause] | None = None
    message: str = ""

    @property
    def outcome(self) -> Outcome:
        """Return how the object fares."""
        if self.causes:
            return "denied"
        if self.patch:
            return "patched"
        return "warned" if self.warnings else "allowed"


NOTHING_TO_SAY = Ruling()


def ruling_of(endpoint: Endpoint, verdict: Verdict, audit: AuditTexts) -> Ruling:
    """Return what an endpoint makes of a verdict; only `validate` denies, only `mutate` patches."""
    dialects, findings, patch = verdict.dialects, verdict.findings, verdict.patch
    texts = audit.annotations(dialects, findings) if dialects or findings else None
    if endpoint == "mutate" and patch:
        return Ruling(dialects, findings, texts, write_patch([operation.as_object for operation in patch]), len(patch))
    if endpoint == "validate/warn":
        return Ruling(dialects, findings, texts, warnings=warning_texts(findings) or None)
    if endpoint == "validate" and findings:
        errors = verdict.errors
        causes = [Cause(finding.reason, cause_message(finding), str(finding.path)) for finding in errors] or None
        message = denial_message(errors) if errors else ""
        return Ruling(dialects, findings, texts, warnings=warning_texts(verdict.warnings) or None, causes=causes, message=message)
    return Ruling(dialects, findings, texts)


def answer_of(endpoint: Endpoint, review: Review | PodReview, subject: Subject, ruling: Ruling) -> Answer:
    """Return the encoded answer and the facts about it."""
    request = review.request
    response = Response(request.uid, ruling.causes is None, audit_annotations=ruling.audit, warnings=ruling.warnings)
    if ruling.causes:
        details = Details(subject.name, subject.group, subject.kind, ruling.causes)
        response.status = Status("Failure", ruling.message, "Invalid", details, UNPROCESSABLE)
    if ruling.patch:
        response.patch, response.patch_type = ruling.patch, "JSONPatch"
    body = write_review(review.api_version, response)
    facts = (endpoint, request.uid, request.operation, subject.kind, request.namespace or "", subject.name)
    return Answer(body, *facts, ruling.outcome, ruling.dialects, ruling.findings, ruling.patch_operations)
