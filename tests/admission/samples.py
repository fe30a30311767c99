"""Small reviews, findings and an engine that says what a test wants it to say."""

import base64
import json
from typing import TYPE_CHECKING, Any

from webhook.admission.handler import Handler
from webhook.core.engine import Verdict
from webhook.core.fieldpath import FieldPath
from webhook.core.finding import INVALID, Finding, Severity
from webhook.core.share import Stage

if TYPE_CHECKING:
    from webhook.core.plugin import Dialect

UID = "705ab4f5-6393-11e8-b7cc-42010a800002"
LIMITS = ("spec", "containers", 0, "resources", "limits", "volcano.sh/gpu-mem.128Mi")
POD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": [{"name": "app"}]}}
KINDS = {
    "Pod": {"group": "", "version": "v1", "kind": "Pod"},
    "Deployment": {"group": "apps", "version": "v1", "kind": "Deployment"},
    "ControllerRevision": {"group": "apps", "version": "v1", "kind": "ControllerRevision"},
}


def review(
    operation: str | None = "CREATE",
    obj: Any = POD,
    old: Any = None,
    *,
    version: str = "v1",
    kind: str | dict[str, str] | None = "Pod",
    **request: Any,
) -> bytes:
    """Return the bytes of an AdmissionReview; further fields of the request by name, `None` leaves one out."""
    fields = {
        "uid": UID,
        "kind": KINDS[kind] if isinstance(kind, str) else kind,
        "operation": operation,
        "namespace": "ns1",
        "object": obj,
        "oldObject": old,
    } | request
    head = {"kind": "AdmissionReview", "apiVersion": f"admission.k8s.io/{version}"}
    return json.dumps(head | {"request": {name: value for name, value in fields.items() if value is not None}}).encode()


def finding(
    check: str = "memory-step", *, severity: Severity = "error", container: str | None = "app", message: str = "'63' must be a multiple"
) -> Finding:
    """Return a finding about the one container of `POD`."""
    return Finding(
        check=check,
        severity=severity,
        reason=INVALID,
        path=FieldPath(LIMITS),
        value="63",
        message=message,
        hint="write '64'",
        dialect="huawei",
        container=container,
        kind="Pod",
        namespace="ns1",
        name="p",
        identity=(check,),
    )


class ScriptedEngine:
    """An engine whose verdict is given; it notes what it was asked."""

    def __init__(self, verdict: Verdict | None = None, *, marks: bool = True, fault: Exception | None = None) -> None:
        """Take the verdict, whether every text mentions a mark, and what to raise instead."""
        self.dialects: tuple[Dialect, ...] = ()
        self.verdict = verdict or Verdict()
        self.marks = marks
        self.fault = fault
        self.asked: list[tuple[Any, Any, Stage]] = []

    def mentions_marks(self, text: str | bytes) -> bool:
        """Say what the test says."""
        return self.marks and text not in (b"null", b"")

    def examine(self, obj: Any, old: Any = None, *, stage: Stage = Stage.MANIFEST) -> Verdict:
        """Return the given verdict."""
        self.asked.append((obj, old, stage))
        if self.fault:
            raise self.fault
        return self.verdict


def handler(*findings: Finding, **verdict: Any) -> Handler:
    """Return a handler whose engine finds what is given."""
    return Handler(ScriptedEngine(Verdict(findings, **verdict)), "1.2.3")


def response(body: bytes) -> dict[str, Any]:
    """Return the `response` of an answer."""
    answer: dict[str, Any] = json.loads(body)["response"]
    return answer


def patch(body: bytes) -> Any:
    """Return the JSON Patch of an answer."""
    return json.loads(base64.b64decode(response(body)["patch"]))
