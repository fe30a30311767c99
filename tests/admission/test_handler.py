"""Which requests reach the engine, at which stage, and what becomes of its verdict."""

from typing import Any

import pytest

from tests.admission.samples import KINDS, POD, UID, ScriptedEngine, finding, handler, patch, response, review
from webhook.admission.errors import HandlerFaultError
from webhook.admission.handler import Handler
from webhook.admission.scope import ENDPOINTS, Endpoint
from webhook.core.engine import Verdict
from webhook.core.patch import PatchOp
from webhook.core.share import Stage

ERROR = finding("memory-step")
WARNING = finding("isolation-bypass", severity="warning")
OPERATION = PatchOp("add", "/spec/schedulerName", "volcano")
LEAVING = POD | {"metadata": {"name": "p", "deletionTimestamp": "2026-11-30T10:00:00Z"}}
MIRROR = POD | {"metadata": {"name": "p", "annotations": {"kubernetes.io/config.mirror": "x"}}}

EXEMPT = {
    "a DELETE": review("DELETE", None, POD),
    "a DELETE without any object": review("DELETE", None),
    "a CONNECT": review("CONNECT"),
    "an operation that is not known": review("FROB"),
    "no operation": review(operation=None),
    "a mirror pod": review(obj=MIRROR),
    "a ControllerRevision": review(kind="ControllerRevision"),
    "an UPDATE of an object on its way out": review("UPDATE", POD, LEAVING),
    "an object that is null": review(obj=None),
    "an object that is a list": review(obj=[1]),
} | {
    f"the subresource {name}": review("UPDATE", POD, POD, subResource=name)
    for name in ("status", "scale", "resize", "ephemeralcontainers", "binding")
}


@pytest.mark.parametrize("body", EXEMPT.values(), ids=EXEMPT.keys())
@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_what_is_exempt_is_allowed_without_a_look(endpoint: Endpoint, body: bytes) -> None:
    engine = ScriptedEngine(Verdict((ERROR,), (OPERATION,)))
    answer = Handler(engine, "1").respond(endpoint, body)
    assert response(answer.body) == {"uid": UID, "allowed": True}
    assert engine.asked == []


def test_a_text_without_marks_is_not_examined() -> None:
    engine = ScriptedEngine(Verdict((ERROR,)), marks=False)
    assert response(Handler(engine, "1").respond("validate", review()).body) == {"uid": UID, "allowed": True}
    assert engine.asked == []


@pytest.mark.parametrize(
    ("endpoint", "stage"),
    [("mutate", Stage.MUTATE), ("validate", Stage.VALIDATE), ("validate/warn", Stage.VALIDATE), ("validate/audit", Stage.MANIFEST)],
)
def test_a_creation_is_examined_at_the_stage_of_its_endpoint(endpoint: Endpoint, stage: Stage) -> None:
    engine = ScriptedEngine()
    Handler(engine, "1").respond(endpoint, review())
    assert engine.asked == [(POD, None, stage)]


def test_an_update_is_examined_against_the_old_object() -> None:
    engine = ScriptedEngine()
    old = POD | {"metadata": {"name": "old"}}
    Handler(engine, "1").respond("validate", review("UPDATE", POD, old))
    assert engine.asked == [(POD, old, Stage.UPDATE)]


def test_an_update_without_an_old_object_had_nothing_before() -> None:
    engine = ScriptedEngine()
    Handler(engine, "1").respond("validate", review("UPDATE", POD))
    assert engine.asked == [(POD, {}, Stage.UPDATE)]


@pytest.mark.parametrize("body", [review("UPDATE", POD, POD), review(kind="Deployment")], ids=["a pod's update", "a workload"])
def test_only_the_creation_of_a_pod_is_patched(body: bytes) -> None:
    answer = handler(patch=(OPERATION,)).respond("mutate", body)
    assert response(answer.body) == {"uid": UID, "allowed": True}
    assert answer.outcome == "allowed"


def test_a_custom_resource_that_is_called_pod_is_not_patched() -> None:
    body = review(kind=KINDS["Pod"] | {"group": "example.com"})
    assert response(handler(patch=(OPERATION,)).respond("mutate", body).body) == {"uid": UID, "allowed": True}


def test_the_kind_of_the_object_counts_where_the_request_names_none() -> None:
    body = review(kind=None)
    assert patch(handler(patch=(OPERATION,)).respond("mutate", body).body) == [
        {"op": "add", "path": "/spec/schedulerName", "value": "volcano"}
    ]


def test_the_kind_of_the_request_counts_where_the_object_names_none() -> None:
    engine = ScriptedEngine()
    Handler(engine, "1").respond("validate", review(obj={"spec": {}}, kind="Deployment"))
    assert engine.asked[0][0] == {"apiVersion": "apps/v1", "kind": "Deployment", "spec": {}}


@pytest.mark.parametrize("metadata", [None, [], "x", {"labels": 7}], ids=["null", "a list", "text", "labels that are a number"])
def test_a_pod_of_a_strange_shape_reaches_the_engine_as_it_is(metadata: Any) -> None:
    engine = ScriptedEngine()
    Handler(engine, "1").respond("validate", review(obj=POD | {"metadata": metadata}))
    assert engine.asked[0][0]["metadata"] == metadata


def test_mutate_never_denies() -> None:
    answer = handler(ERROR).respond("mutate", review())
    assert response(answer.body)["allowed"] is True
    assert "status" not in response(answer.body)
    assert "warnings" not in response(answer.body)
    assert answer.outcome == "allowed"


def test_validate_denies_errors_and_passes_warnings_on() -> None:
    answer = handler(ERROR, WARNING).respond("validate", review())
    assert response(answer.body)["status"]["code"] == 422
    assert [cause["message"][-13:] for cause in response(answer.body)["status"]["details"]["causes"]] == ["[memory-step]"]
    assert [text[-18:] for text in response(answer.body)["warnings"]] == ["[isolation-bypass]"]
    assert (answer.outcome, answer.findings) == ("denied", (ERROR, WARNING))


def test_validate_allows_what_only_warns() -> None:
    answer = handler(WARNING).respond("validate", review())
    assert (response(answer.body)["allowed"], len(response(answer.body)["warnings"]), answer.outcome) == (True, 1, "warned")


def test_validate_never_patches() -> None:
    for endpoint in ENDPOINTS[1:]:
        assert "patch" not in response(handler(patch=(OPERATION,)).respond(endpoint, review()).body)


def test_warn_turns_errors_into_warnings() -> None:
    answer = handler(ERROR, WARNING).respond("validate/warn", review())
    assert (response(answer.body)["allowed"], len(response(answer.body)["warnings"]), answer.outcome) == (True, 2, "warned")


def test_audit_says_it_in_the_audit_log_alone() -> None:
    answer = handler(ERROR, WARNING).respond("validate/audit", review())
    assert response(answer.body) == {
        "uid": UID,
        "allowed": True,
        "auditAnnotations": {"checks": "memory-step,isolation-bypass", "dialect": "", "memory-unit": "", "version": "1.2.3"},
    }


def test_the_name_of_a_pod_to_be_named_is_what_its_name_will_start_with() -> None:
    answer = handler(ERROR).respond("validate", review(obj=POD | {"metadata": {"generateName": "job-"}}))
    assert response(answer.body)["status"]["details"]["name"] == "job-"
    assert (answer.name, answer.namespace) == ("job-", "ns1")


def test_a_fault_of_percard_is_raised_with_the_uid() -> None:
    engine = ScriptedEngine(fault=ZeroDivisionError("s3cr3t"))
    with pytest.raises(HandlerFaultError) as caught:
        Handler(engine, "1").respond("validate", review())
    assert caught.value.uid == UID
    assert "s3cr3t" not in str(caught.value)
