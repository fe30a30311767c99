"""A pod with a node keeps what it was given: neither amounts nor counts nor policies may change."""

import copy
from typing import Any

import pytest

from tests.support.pods import (
    CG_COUNT,
    CG_PLACEMENT,
    ENGINE,
    LIMITS,
    MG_LIST,
    MG_POLICY,
    XG_COUNT,
    Json,
    cg,
    container,
    deployment,
    errors,
    huawei,
    mg,
    mutated,
    places,
    pod,
    said,
    volcengine,
    xg,
)

PLACED: dict[str, Json] = {
    "volcengine": volcengine(mg(30, 4096), None, count="2,0", nodeName="n1"),
    "huawei": huawei(xg(64, 30), count="2", nodeName="n1", schedulerName="volcano"),
    "alibaba": pod(cg(8), labels={CG_COUNT: "2", CG_PLACEMENT: "require-whole-device"}, nodeName="n1"),
}
# dialect, place, key, value to write there (None takes it away)
CHANGES: dict[str, tuple[str, str, str, Any]] = {
    "another list": ("volcengine", "annotations", MG_LIST, "4,0"),
    "no list": ("volcengine", "annotations", MG_LIST, None),
    "another policy": ("volcengine", "annotations", MG_POLICY, "fixed-share"),
    "no policy": ("volcengine", "annotations", MG_POLICY, None),
    "another count": ("huawei", "labels", XG_COUNT, "1"),
    "no count": ("huawei", "labels", XG_COUNT, None),
    "a count that is none": ("huawei", "labels", XG_COUNT, "02"),
    "another of Alibaba's counts": ("alibaba", "labels", CG_COUNT, "4"),
    "no placement": ("alibaba", "labels", CG_PLACEMENT, None),
}


def _changed(old: Json, place: str, key: str, value: Any) -> Json:
    new = copy.deepcopy(old)
    new["metadata"][place].pop(key, None)
    if value is not None:
        new["metadata"][place][key] = value
    return new


@pytest.mark.parametrize("name", CHANGES)
def test_a_key_of_the_pod_may_not_change_once_it_has_a_node(name: str) -> None:
    dialect, place, key, value = CHANGES[name]
    old = PLACED[dialect]
    verdict = ENGINE.examine(_changed(old, place, key, value), old)
    assert ("frozen-share", f"metadata.{place}[{key}]") in places(verdict)
    assert "frozen-share" in said(verdict)


@pytest.mark.parametrize("name", CHANGES)
def test_the_same_change_is_no_frozen_share_before(name: str) -> None:
    dialect, place, key, value = CHANGES[name]
    for node in ("", None):
        old = copy.deepcopy(PLACED[dialect])
        old["spec"]["nodeName"] = node
        assert "frozen-share" not in errors(_changed(old, place, key, value), old)


@pytest.mark.parametrize(
    ("before", "after", "paths"),
    [
        (xg(64), xg(128), ["limits[volcano.sh/gpu-mem.128Mi]"]),
        (xg(64, 30), xg(64), ["limits[volcano.sh/gpu-core.percentage]"]),
        (xg(64), xg(64, 30), ["limits[volcano.sh/gpu-core.percentage]"]),
        (xg(64, 30), xg(128, 20), ["limits[volcano.sh/gpu-mem.128Mi]", "limits[volcano.sh/gpu-core.percentage]"]),
        (xg("64"), xg(64.0), []),
        (xg("64"), xg("64000m"), []),
    ],
)
def test_amounts_are_compared_as_numbers(before: Json, after: Json, paths: list[str]) -> None:
    verdict = ENGINE.examine(huawei(after, schedulerName="volcano"), huawei(before, schedulerName="volcano", nodeName="n1"))
    found = [str(finding.path) for finding in verdict.errors if finding.check == "frozen-share"]
    assert found == [f"spec.containers[0].resources.{path}" for path in paths]


def test_a_share_for_a_container_that_had_none_is_a_change() -> None:
    assert errors(huawei(xg(64), xg(64), count="2"), huawei(xg(64), None, count="2", nodeName="n1")) == {"frozen-share"}


def test_other_labels_and_annotations_of_a_running_pod_may_change() -> None:
    for old in PLACED.values():
        new = copy.deepcopy(old)
        new["metadata"].setdefault("labels", {})["note"] = "x"
        new["metadata"].setdefault("annotations", {})["volcano.sh/gpu-index"] = "0"
        assert ENGINE.examine(new, old).findings == ()


def test_a_list_that_gives_the_same_cards_by_name_is_no_change() -> None:
    old = volcengine(count="2,1", nodeName="n1")
    old["spec"]["containers"] = [container("a", mg(30, 4096)), container("b", mg(30, 4096))]
    new = _changed(old, "annotations", MG_LIST, "1,2,0")
    new["spec"]["containers"] = [container("b", mg(30, 4096)), container("a", mg(30, 4096)), container("proxy")]
    assert ENGINE.examine(new, old).findings == ()
    other = copy.deepcopy(new)
    other["metadata"]["annotations"][MG_LIST] = "2,1,0"
    assert errors(other, old) == {"frozen-share"}


def test_a_label_of_one_card_is_as_good_as_none() -> None:
    old = huawei(xg(64), count="1", nodeName="n1", schedulerName="volcano")
    assert ENGINE.examine(_changed(old, "labels", XG_COUNT, None), old).findings == ()


def test_a_template_may_change_whatever_it_says_about_nodes() -> None:
    old = deployment(huawei(xg(64), count="2", nodeSelector={"a": "b"}))
    assert errors(deployment(huawei(xg(128), count="4")), old) == set()


def test_a_stale_limits_annotation_warns_before_there_is_a_node_and_is_refused_after() -> None:
    old = mutated(huawei(xg(64), count="2"))
    repaired = _changed(old, "labels", XG_COUNT, "4")
    verdict = ENGINE.examine(repaired, old)
    assert (said(verdict), said(verdict, "warning")) == (set(), {"limits-annotation"})
    old["spec"]["nodeName"] = "n1"
    tampered = copy.deepcopy(old)
    tampered["metadata"]["annotations"][LIMITS] = old["metadata"]["annotations"][LIMITS].replace("4096", "8192")
    assert errors(tampered, old) == {"limits-annotation"}


def test_an_old_mistake_does_not_excuse_a_change_of_the_share() -> None:
    old = huawei(xg(63), count="2", nodeName="n1", schedulerName="volcano")
    verdict = ENGINE.examine(huawei(xg(65), count="2", nodeName="n1", schedulerName="volcano"), old)
    assert said(verdict) == {"frozen-share", "memory-step"}
