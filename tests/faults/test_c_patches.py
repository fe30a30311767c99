"""Faults of others with JSON Patch and mutation (letter C)."""

import copy
import json
from typing import Any

import jsonpatch
import pytest

from tests.admission.samples import UID, response, review
from tests.support.door import ask, operations
from tests.support.pods import ENGINE, LIMITS, MG_LIST, Json, container, huawei, mg, pod, two_cards, volcengine, xg
from webhook.admission.errors import HandlerFaultError
from webhook.admission.handler import Handler

DIALECTS = ("volcengine", "huawei", "alibaba")


def _applied(whole: Json) -> Json:
    result: Json = jsonpatch.JsonPatch(operations(ask("mutate", whole))).apply(copy.deepcopy(whole))
    return result


def test_c01_slashes_in_keys_are_escaped_so_that_the_right_key_is_written() -> None:
    whole = volcengine(mg(30, 4096), None, count="2")
    paths = {operation["path"] for operation in operations(ask("mutate", whole))}
    assert paths == {f"/metadata/annotations/{key.replace('/', '~1')}" for key in (LIMITS, MG_LIST)}
    assert set(_applied(whole)["metadata"]["annotations"]) == {*whole["metadata"]["annotations"], LIMITS}


@pytest.mark.parametrize("annotations", [None, {}, {"a": "1"}], ids=["null", "empty", "present"])
@pytest.mark.parametrize("labels", [None, {}], ids=["labels null", "labels empty"])
def test_c03_a_missing_parent_is_created_once_as_an_object(annotations: Any, labels: Any) -> None:
    whole = pod(xg(64))
    whole["metadata"] |= {"annotations": annotations, "labels": labels}
    result = _applied(whole)
    text = result["metadata"]["annotations"].pop(LIMITS)
    assert json.loads(text)["dialect"] == "huawei"
    expected = copy.deepcopy(whole)
    expected["metadata"]["annotations"] = annotations or {}
    expected["spec"]["schedulerName"] = "volcano"
    assert result == expected


@pytest.mark.parametrize("gone", ["annotations", "labels", "metadata"])
def test_c03_a_parent_that_is_not_there_at_all_is_created(gone: str) -> None:
    whole = pod(xg(64), labels={}, annotations={})
    target = whole if gone == "metadata" else whole["metadata"]
    del target[gone]
    assert list(_applied(whole)["metadata"]["annotations"]) == [LIMITS]


def test_c04_annotations_of_the_user_stay() -> None:
    mine = {"a": "1", "b": "", "prometheus.io/scrape": "true"}
    annotations = _applied(pod(xg(64), annotations=mine))["metadata"]["annotations"]
    assert {key: text for key, text in annotations.items() if key != LIMITS} == mine


@pytest.mark.parametrize("requests", [None, {}, "absent"])
def test_c06_resources_without_requests_are_no_reason_to_fail(requests: Any) -> None:
    whole = pod(xg(64))
    whole["spec"]["containers"].append(container("helper", resources=None))
    if requests != "absent":
        whole["spec"]["containers"][0]["resources"]["requests"] = requests
    result = _applied(whole)
    assert result["spec"]["containers"] == whole["spec"]["containers"]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_c07_a_second_pass_has_nothing_to_do(dialect: str) -> None:
    once = _applied(two_cards(dialect))
    answer = ask("mutate", once)
    assert "patch" not in answer
    assert "patchType" not in answer
    assert json.dumps(_applied(once)) == json.dumps(once)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_c08_the_hook_allows_what_it_made_itself(dialect: str) -> None:
    once = _applied(two_cards(dialect))
    for endpoint in ("mutate", "validate"):
        answer = ask(endpoint, once)
        assert (answer["allowed"], "warnings" in answer) == (True, False)


@pytest.mark.parametrize("whole", [pod(None), pod({"cpu": "1"}), pod({"nvidia.com/gpu": 1}), {"apiVersion": "v1", "kind": "Pod"}])
def test_c10_nothing_to_do_is_no_patch_rather_than_an_empty_one(whole: Json) -> None:
    assert ask("mutate", whole) == {"uid": UID, "allowed": True}


def test_c12_unknown_fields_are_allowed_and_kept() -> None:
    extra = {"future": {"a": [1, {"b": None}]}}
    whole = huawei(xg(64), count="2", **extra) | extra
    whole["spec"]["containers"][0] |= extra
    result = _applied(whole)
    assert (result["future"], result["spec"]["future"], result["spec"]["containers"][0]["future"]) == (extra["future"],) * 3
    assert ask("validate", result)["allowed"] is True


@pytest.mark.parametrize("version", ["v1", "v1beta1"])
def test_c14_an_answer_names_the_version_and_kind_of_its_question(version: str) -> None:
    for endpoint in ("mutate", "validate"):
        body = review(obj=two_cards("huawei"), version=version)
        answer = json.loads(Handler(ENGINE, "1").respond(endpoint, body).body)
        assert (answer["apiVersion"], answer["kind"]) == (f"admission.k8s.io/{version}", "AdmissionReview")


@pytest.mark.parametrize(
    "obj",
    [two_cards("huawei"), huawei(count="3"), pod(None), None, [], 5, {"spec": {"containers": {"volcano.sh/gpu-num": 1}}}],
    ids=["patched", "denied", "plain", "null", "a list", "a number", "malformed"],
)
def test_c15_every_answer_carries_the_uid_of_its_question(obj: Any) -> None:
    for endpoint in ("mutate", "validate", "validate/warn", "validate/audit"):
        assert response(Handler(ENGINE, "1").respond(endpoint, review(obj=obj)).body)["uid"] == UID


def test_c15_a_fault_inside_carries_the_uid_to_the_log() -> None:
    class Broken:
        dialects = ENGINE.dialects
        mentions_marks = ENGINE.mentions_marks

        def examine(self, *_: Any, **__: Any) -> Any:
            message = "s3cr3t-canary"
            raise RuntimeError(message)

    with pytest.raises(HandlerFaultError) as fault:
        Handler(Broken(), "1").respond("validate", review(obj=two_cards("huawei")))
    assert UID in f"{vars(fault.value)} {fault.value}"
    assert "canary" not in str(fault.value)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_c16_a_validating_answer_has_no_patch_even_where_the_mutating_one_has(dialect: str) -> None:
    for endpoint in ("validate", "validate/warn", "validate/audit"):
        answer = ask(endpoint, two_cards(dialect))
        assert {"patch", "patchType"} & answer.keys() == set()


def test_c17_the_audit_says_which_version_changed_the_pod_and_no_amount_is_rewritten() -> None:
    whole = huawei(xg("64000m"), count="2")
    answer = ask("mutate", whole)
    assert answer["auditAnnotations"]["version"] == "1.0.0"
    assert answer["auditAnnotations"]["dialect"] == "huawei"
    result = _applied(whole)
    assert result["spec"]["containers"] == whole["spec"]["containers"]
    assert result["metadata"]["labels"] == whole["metadata"]["labels"]
