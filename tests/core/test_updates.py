"""UPDATE: what an object already had only warns, what is new is refused, and what is on its way out passes."""

import copy
from typing import Any

import pytest

from tests.support.kinds import built_in, custom
from tests.support.pods import (
    ENGINE,
    MG_LIST,
    XG_COUNT,
    Json,
    as_template,
    container,
    deployment,
    engine_with,
    errors,
    huawei,
    mg,
    pod,
    said,
    two_cards,
    volcengine,
    workload,
    xg,
)

BAD = huawei(xg(64), count="3")
WORKLOADS = built_in(as_template(BAD)) | custom(as_template(BAD))


def _labelled(whole: Json, **labels: str) -> Json:
    result = copy.deepcopy(whole)
    result["metadata"].setdefault("labels", {}).update(labels)
    return result


def _renamed(whole: Json, *names: str) -> Json:
    result = copy.deepcopy(whole)
    for found, name in zip(result["spec"]["containers"], names, strict=True):
        found["name"] = name
    return result


def test_an_old_mistake_of_a_pod_only_warns() -> None:
    verdict = ENGINE.examine(_labelled(BAD, note="x"), BAD)
    assert (said(verdict), said(verdict, "warning"), verdict.patch) == (set(), {"memory-step"}, ())


@pytest.mark.parametrize(
    ("change", "refused"),
    [
        ({XG_COUNT: "5"}, {"memory-step"}),  # another wrong count is a new mistake
        ({XG_COUNT: "03"}, {"card-count"}),
        ({XG_COUNT: "4"}, set()),  # repaired
        ({XG_COUNT: "3"}, set()),
    ],
)
def test_before_the_pod_has_a_node_a_change_of_its_share_is_checked_in_full(change: Json, refused: set[str]) -> None:
    assert errors(_labelled(BAD, **change), BAD) == refused


def test_a_new_mistake_beside_an_old_one_is_refused_alone() -> None:
    old = volcengine(mg(31, 4096), count="2")
    new = copy.deepcopy(old)
    new["metadata"]["annotations"]["vke.volcengine.com/mgpu-compute-policy"] = "fixed-share"
    verdict = ENGINE.examine(new, old)
    assert (said(verdict), said(verdict, "warning")) == ({"compute-policy"}, {"core-step"})


def test_containers_are_matched_by_name_and_not_by_their_place() -> None:
    old = _renamed(huawei(xg(63), xg(64), count="2"), "a", "b")
    moved = copy.deepcopy(old)
    moved["spec"]["containers"].reverse()
    assert errors(moved, old) == set()
    swapped = _renamed(old, "b", "a")  # now b has the wrong share, which it had not
    assert errors(swapped, old) == {"memory-step"}


@pytest.mark.parametrize("kind", WORKLOADS)
def test_a_workload_may_be_scaled_or_labelled_while_its_template_stays(kind: str) -> None:
    document, _ = WORKLOADS[kind]
    changed = copy.deepcopy(document)
    changed["metadata"]["labels"] = {"note": "x"}
    if "spec" in changed:
        changed["spec"]["replicas"] = 9
    verdict = ENGINE.examine(changed, document)
    assert (said(verdict), said(verdict, "warning")) == (set(), {"memory-step"})


@pytest.mark.parametrize("kind", WORKLOADS)
def test_a_changed_template_is_checked_in_full_even_for_its_old_mistakes(kind: str) -> None:
    document, where = WORKLOADS[kind]
    changed = copy.deepcopy(document)
    template: Any = changed
    for part in where:
        template = template[part]
    template["spec"]["containers"][0]["image"] = "app:2"
    assert errors(changed, document) == {"memory-step"}


def test_one_changed_template_of_several_is_refused_and_the_other_warned_of() -> None:
    old: Json = {
        "apiVersion": "batch.volcano.sh/v1alpha1",
        "kind": "Job",
        "spec": {"tasks": [{"template": as_template(BAD)} for _ in "ab"]},
    }
    new = copy.deepcopy(old)
    new["spec"]["tasks"][1]["template"]["spec"]["containers"][0]["image"] = "app:2"
    found = {(finding.path.parts[2], finding.severity) for finding in ENGINE.examine(new, old).findings}
    assert found == {(0, "warning"), (1, "error")}


@pytest.mark.parametrize("stamp", ["2026-01-01T00:00:00Z", "", 0])
def test_an_object_on_its_way_out_always_passes(stamp: Any) -> None:
    for whole in (BAD, deployment(BAD)):
        leaving = copy.deepcopy(whole)
        leaving["metadata"]["deletionTimestamp"] = stamp
        assert ENGINE.examine(whole, leaving).findings == ()


def test_only_the_old_object_says_that_it_is_on_its_way_out() -> None:
    leaving = _labelled(BAD, **{XG_COUNT: "5"})
    leaving["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    assert errors(leaving, BAD) == {"memory-step"}
    never = copy.deepcopy(BAD)
    never["metadata"]["deletionTimestamp"] = None
    assert errors(leaving, never) == {"memory-step"}


@pytest.mark.parametrize("kind", sorted(WORKLOADS))
def test_a_copy_that_a_controller_made_only_warns(kind: str) -> None:
    document = copy.deepcopy(WORKLOADS[kind][0])
    document["metadata"]["ownerReferences"] = [{"kind": "X", "controller": False}, {"kind": "Deployment", "controller": True}]
    verdict = ENGINE.examine(document)
    assert (said(verdict), said(verdict, "warning")) == (set(), {"memory-step"})
    assert ENGINE.examine(document, patch_templates=True).patch == ()


@pytest.mark.parametrize("owners", [None, [], {}, [{"controller": False}], [{"controller": "true"}], [None], [{"kind": "Deployment"}]])
def test_an_owner_that_is_no_controller_softens_nothing(owners: Any) -> None:
    whole = deployment(BAD, ownerReferences=owners)
    assert errors(whole) == {"memory-step"}


def test_a_pod_that_a_controller_made_is_no_copy() -> None:
    whole = copy.deepcopy(BAD)
    whole["metadata"]["ownerReferences"] = [{"kind": "ReplicaSet", "controller": True}]
    assert errors(whole) == {"memory-step"}


@pytest.mark.parametrize(("level", "severities"), [("error", {"error"}), ("warning", {"warning"}), ("off", set())])
def test_templates_may_be_set_to_warn_or_off_and_pods_stay_as_they_are(level: str, severities: set[str]) -> None:
    engine = engine_with(workloads=level)
    assert {finding.severity for finding in engine.examine(deployment(BAD)).findings} == severities
    assert errors(BAD, engine=engine) == {"memory-step"}
    assert engine.examine(deployment(BAD), patch_templates=True).patch == ()


@pytest.mark.parametrize("dialect", ["volcengine", "huawei", "alibaba"])
def test_no_pod_is_patched_at_an_update_even_one_that_was_never_normalised(dialect: str) -> None:
    whole = two_cards(dialect)
    assert ENGINE.examine(_labelled(whole, note="x"), whole).patch == ()
    assert ENGINE.examine(_labelled(whole, note="x"), whole, patch_templates=True).findings == ()


@pytest.mark.parametrize("old", [{}, [], "x", 5, pod(None), {"metadata": 5}, {"metadata": {"deletionTimestamp": None}}])
def test_an_old_object_that_says_nothing_excuses_nothing(old: Any) -> None:
    assert errors(BAD, old) == {"memory-step"}


def test_an_old_mistake_in_an_init_container_or_a_list_only_warns() -> None:
    old = volcengine(mg(30, 4096), None, count="2", initContainers=[container("first", mg(30, 4096))])
    verdict = ENGINE.examine(_labelled(old, note="x"), old)
    assert (said(verdict), said(verdict, "warning")) == (set(), {"card-list", "init-container"})
    other = copy.deepcopy(old)
    other["metadata"]["annotations"][MG_LIST] = "2,1"
    assert errors(other, old) == {"card-list"}


def test_of_templates_with_the_same_name_the_one_at_the_same_index_counts() -> None:
    right, wrong = ({"name": "worker", "template": as_template(huawei(xg(blocks), count="2"))} for blocks in (64, 63))

    def severities(after: list[Json], before: list[Json]) -> list[str]:
        jobs = [workload("batch.volcano.sh/v1alpha1", "Job", {"tasks": tasks}) for tasks in (after, before)]
        return [finding.severity for finding in ENGINE.examine(*jobs).findings]

    assert severities([wrong, right], [wrong, right]) == ["warning"]
    assert severities([wrong, wrong], [wrong, wrong]) == ["warning", "warning"]
    assert severities([wrong, right], [right, right]) == ["error"]
