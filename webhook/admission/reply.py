"""What is answered at each endpoint, given the verdict."""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from webhook.admission.scope import Endpoint, Subject
from webhook.admission.texts import AuditTexts, cause_message, denial_message, warning_texts
from webhook.admission.wire import Cause, Details, Response, Review, Status, write_patch, write_review
from webhook.core.engine import Verdict
from webhook.core.finding import Finding
from webhook.core.patch import PatchOp

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


class Case(msgspec.Struct, gc=False):
    """One review at one endpoint, and what the engine says about its object."""

    endpoint: Endpoint
    review: Review
    subject: Subject
    verdict: Verdict
    dialects: tuple[str, ...] = ()


def response_of(case: Case, audit: AuditTexts) -> Response:
    """Return the AdmissionResponse; only `validate` denies, only `mutate` patches."""
    response = Response(case.review.request.uid, allowed=True)
    endpoint, findings = case.endpoint, case.verdict.findings
    if case.dialects or findings:
        response.audit_annotations = audit.annotations(case.dialects, findings)
    if endpoint == "mutate":
        _add_patch(response, case.verdict.patch)
    elif endpoint == "validate/warn":
        response.warnings = warning_texts(findings) or None
    elif endpoint == "validate" and findings:
        _judge(response, case.subject, case.verdict)
    return response


def _add_patch(response: Response, operations: Sequence[PatchOp]) -> None:
    if operations:
        response.patch = write_patch([_operation(operation) for operation in operations])
        response.patch_type = "JSONPatch"


def _operation(operation: PatchOp) -> dict[str, Any]:
    if operation.op == "remove":
        return {"op": operation.op, "path": operation.path}
    return {"op": operation.op, "path": operation.path, "value": operation.value}


def _judge(response: Response, subject: Subject, verdict: Verdict) -> None:
    errors = verdict.errors
    response.warnings = warning_texts(verdict.warnings) or None
    if errors:
        response.allowed = False
        causes = [Cause(finding.reason, cause_message(finding), str(finding.path)) for finding in errors]
        details = Details(subject.name, subject.group, subject.kind, causes)
        response.status = Status("Failure", denial_message(errors), "Invalid", details, UNPROCESSABLE)


def answer_of(case: Case, response: Response) -> Answer:
    """Return the encoded answer and the facts about it."""
    request, subject = case.review.request, case.subject
    patched = len(case.verdict.patch) if response.patch else 0
    body = write_review(case.review.api_version, response)
    facts = (case.endpoint, request.uid, request.operation, subject.kind, request.namespace or "", subject.name)
    return Answer(body, *facts, _outcome(response), case.dialects, case.verdict.findings, patched)


def _outcome(response: Response) -> Outcome:
    if not response.allowed:
        return "denied"
    if response.patch:
        return "patched"
    return "warned" if response.warnings else "allowed"
