"""Faults of others with UPDATE, deletion, subresources and workloads (letter E)."""

import copy
from typing import Any

import pytest

from tests.support.door import ask, denied_at, operations
from tests.support.kinds import argo, built_in, custom
from tests.support.pods import XG_COUNT, XG_MEMORY, Json, as_template, container, deployment, huawei, mutated, two_cards, workload, xg
from webhook.admission.scope import ENDPOINTS

DIALECTS = ("volcengine", "huawei", "alibaba")
BAD = huawei(xg(64), count="3")
KINDS = built_in(as_template(BAD)) | custom(as_template(BAD))
WORKFLOWS = argo(container("c0", xg(64)), {"labels": {XG_COUNT: "3"}})


def _labelled(whole: Json, **labels: str) -> Json:
    result = copy.deepcopy(whole)
    result["metadata"].setdefault("labels", {}).update(labels)
    return result


@pytest.mark.parametrize("dialect", DIALECTS)
def test_e01_a_label_on_a_pod_that_was_never_normalised_is_no_reason_to_patch_it(dialect: str) -> None:
    whole = two_cards(dialect)
    assert operations(ask("mutate", _labelled(whole, note="x"), whole)) == []


def test_e02_a_finalizer_is_removed_from_a_pod_that_breaks_todays_rules() -> None:
    old = copy.deepcopy(BAD)
    old["metadata"]["finalizers"] = ["batch.kubernetes.io/job-tracking"]
    new = copy.deepcopy(BAD)
    answer = ask("validate", new, old)
    assert answer["allowed"] is True
    assert ["[memory-step]" in warning for warning in answer["warnings"]] == [True]


def test_e03_a_pod_without_its_scheduler_is_not_given_one_later() -> None:
    old = huawei(xg(64), count="2", schedulerName="default-scheduler")
    for endpoint in ENDPOINTS:
        assert operations(ask(endpoint, _labelled(old, note="x"), old)) == []


def test_e04_an_object_on_its_way_out_passes_whatever_it_says() -> None:
    for whole in (BAD, deployment(BAD)):
        old = copy.deepcopy(whole)
        old["metadata"] |= {"deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": ["a"]}
        worse = copy.deepcopy(old)
        worse["metadata"]["labels"] = {XG_COUNT: "5"}
        assert ask("validate", worse, old) == {"uid": ask("validate", worse, old)["uid"], "allowed": True}


def test_e06_an_old_workload_may_be_scaled_with_a_warning_and_its_share_not_made_worse() -> None:
    old = deployment(BAD)
    scaled = _labelled(old, note="x")
    scaled["spec"]["replicas"] = 5
    answer = ask("validate", scaled, old)
    assert answer["allowed"] is True
    assert len(answer["warnings"]) == 1
    changed = copy.deepcopy(scaled)
    changed["spec"]["template"]["spec"]["containers"][0]["resources"]["limits"][XG_MEMORY] = 65
    assert denied_at(ask("validate", changed, old))


def test_e08_another_count_for_a_pod_that_has_its_cards_is_refused_because_it_would_change_nothing() -> None:
    old = mutated(huawei(xg(64), count="2"))
    old["spec"]["nodeName"] = "n1"
    causes = denied_at(ask("validate", _labelled(old, **{XG_COUNT: "4"}), old))
    assert "[frozen-share]" in causes[f"metadata.labels[{XG_COUNT}]"]


def test_e10_a_job_that_is_applied_again_is_not_patched() -> None:
    job = workload("batch/v1", "Job", {"template": as_template(two_cards("huawei"))})
    in_cluster = copy.deepcopy(job)
    in_cluster["spec"]["template"]["spec"]["schedulerName"] = "volcano"
    assert operations(ask("mutate", job, in_cluster)) == []
    assert ask("validate", job, in_cluster)["allowed"] is True


@pytest.mark.parametrize("kind", [*built_in({}), *custom({})])
def test_e11_no_workload_is_ever_patched(kind: str) -> None:
    right = as_template(two_cards("huawei"))
    document, _ = (built_in(right) | custom(right))[kind]
    assert operations(ask("mutate", document)) == []
    assert ask("validate", document)["allowed"] is True


@pytest.mark.parametrize("subresource", ["resize", "status", "ephemeralcontainers", "binding", "eviction", "scale", "later-invented"])
def test_e14_a_subresource_passes_unpatched(subresource: str) -> None:
    worse: Any = copy.deepcopy(two_cards("huawei"))
    worse["spec"]["containers"][0]["resources"]["limits"][XG_MEMORY] = 63
    for endpoint in ENDPOINTS:
        assert operations(ask(endpoint, worse, two_cards("huawei"), subResource=subresource)) == []


@pytest.mark.parametrize("kind", KINDS)
def test_e16_the_same_mistake_is_refused_in_every_kind_at_its_nested_path(kind: str) -> None:
    document, where = KINDS[kind]
    ((field, message),) = denied_at(ask("validate", document)).items()
    nested = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in where).removeprefix(".")
    assert field == f"{nested}.spec.containers[0].resources.limits[{XG_MEMORY}]"
    assert "8192 MiB over 3 cards, 2730 2/3 MiB each" in message


@pytest.mark.parametrize("kind", WORKFLOWS)
def test_e16_the_same_mistake_is_refused_in_a_workflow(kind: str) -> None:
    document, _ = WORKFLOWS[kind]
    assert "[memory-step]" in str(denied_at(ask("validate", document)))


def test_e16_a_kind_without_a_template_passes() -> None:
    assert ask("validate", workload("example.com/v1", "X", {"limits": xg(63), "labels": {XG_COUNT: "2"}}))["allowed"] is True
