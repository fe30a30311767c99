"""The patch: applied by an independent implementation, whole objects compared, in every shape of missing parents."""

import copy
from typing import Any

import pytest

from tests.support.pods import (
    ENGINE,
    LIMITS,
    XG_COUNT,
    Json,
    alibaba,
    cg,
    container,
    deployment,
    engine_with,
    errors,
    huawei,
    mg,
    mutated,
    patched,
    pod,
    two_cards,
    volcengine,
    xg,
)
from webhook.core.share import Stage

HUAWEI_LIMITS = '{"containers":{"c0":{"cards":1,"memoryMiB":8192}},"dialect":"huawei"}'
DIALECTS = ("volcengine", "huawei", "alibaba")

# Everything that the parents of a written field can be; the result of the patch stands beside it.
METADATA: dict[str, tuple[Any, Any]] = {
    "no annotations": ({"name": "p"}, {"name": "p", "annotations": {LIMITS: HUAWEI_LIMITS}}),
    "annotations that are null": ({"name": "p", "annotations": None}, {"name": "p", "annotations": {LIMITS: HUAWEI_LIMITS}}),
    "no annotation yet": ({"annotations": {}}, {"annotations": {LIMITS: HUAWEI_LIMITS}}),
    "annotations of others": ({"annotations": {"a": "1", "b/c~d": ""}}, {"annotations": {"a": "1", "b/c~d": "", LIMITS: HUAWEI_LIMITS}}),
    "an annotation that is out of date": ({"annotations": {LIMITS: "x", "a": "1"}}, {"annotations": {LIMITS: HUAWEI_LIMITS, "a": "1"}}),
    "an annotation that is null": ({"annotations": {LIMITS: None}}, {"annotations": {LIMITS: HUAWEI_LIMITS}}),
    "labels that are null": ({"labels": None}, {"labels": None, "annotations": {LIMITS: HUAWEI_LIMITS}}),
    "only a generated name": ({"generateName": "p-"}, {"generateName": "p-", "annotations": {LIMITS: HUAWEI_LIMITS}}),
    "metadata that is null": (None, {"annotations": {LIMITS: HUAWEI_LIMITS}}),
    "empty metadata": ({}, {"annotations": {LIMITS: HUAWEI_LIMITS}}),
}
SCHEDULERS: dict[str, Json] = {
    "absent": {},
    "null": {"schedulerName": None},
    "empty": {"schedulerName": ""},
    "the default": {"schedulerName": "default-scheduler"},
    "already right": {"schedulerName": "volcano"},
}


@pytest.mark.parametrize("scheduler", SCHEDULERS)
@pytest.mark.parametrize("name", METADATA)
def test_missing_parents_are_created_and_nothing_else_is_touched(name: str, scheduler: str) -> None:
    before, after = METADATA[name]
    extra = {"x-unknown": {"deep": [1, None]}, "volumes": [{"name": "v"}]}
    spec: Any = SCHEDULERS[scheduler] | copy.deepcopy(extra)
    whole = pod(xg(64), **spec) | {"metadata": copy.deepcopy(before), "unknown": True}
    original = copy.deepcopy(whole)
    result = mutated(whole)
    assert whole == original
    assert result == original | {"metadata": after, "spec": original["spec"] | {"schedulerName": "volcano"}}


def test_metadata_that_is_not_there_at_all_is_created() -> None:
    whole = pod(xg(64))
    del whole["metadata"]
    assert mutated(whole)["metadata"] == {"annotations": {LIMITS: HUAWEI_LIMITS}}


@pytest.mark.parametrize("damaged", ["x", 5, [1], True, 0, ""])
@pytest.mark.parametrize("where", ["metadata", "annotations"])
def test_what_is_no_mapping_is_never_overwritten(where: str, damaged: Any) -> None:
    whole = pod(xg(64))
    whole |= {"metadata": damaged} if where == "metadata" else {"metadata": {"annotations": damaged}}
    assert ENGINE.examine(whole, stage=Stage.MUTATE).patch == ()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_twice_is_once_and_the_result_passes(dialect: str) -> None:
    result = mutated(two_cards(dialect))
    assert ENGINE.examine(result, stage=Stage.MUTATE).patch == ()
    assert ENGINE.examine(result, stage=Stage.VALIDATE).findings == ()
    assert ENGINE.examine(result).patch == ()


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("stage", [Stage.VALIDATE, Stage.LIVE])
def test_only_a_file_and_the_mutating_webhook_plan_a_patch(dialect: str, stage: Stage) -> None:
    whole = two_cards(dialect)
    assert ENGINE.examine(whole, stage=stage).patch == ()
    assert ENGINE.examine(whole, two_cards(dialect)).patch == ()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_template_is_patched_for_files_only(dialect: str) -> None:
    whole = deployment(two_cards(dialect))
    assert ENGINE.examine(whole, stage=Stage.MUTATE).patch == ()
    result = patched(whole, ENGINE.examine(whole, patch_templates=True))
    expected = copy.deepcopy(whole)
    direct = mutated(two_cards(dialect))
    expected["spec"]["template"]["metadata"]["annotations"] = direct["metadata"]["annotations"]
    expected["spec"]["template"]["spec"] = direct["spec"]
    assert result == expected


def test_a_pod_with_a_mistake_in_any_container_is_not_patched() -> None:
    assert ENGINE.examine(huawei(xg(64), xg(63), count="2"), stage=Stage.MUTATE).patch == ()


@pytest.mark.parametrize("level", ["warning", "off"])
@pytest.mark.parametrize(
    ("check", "whole"),
    [
        ("memory-step", huawei(xg(64), count="3")),
        ("core-step", volcengine(mg(31, 4096), count="2")),
        ("quantity", alibaba(cg("1.5"))),
        ("card-count", huawei(xg(64), count="02")),
        ("card-list", volcengine(mg(30, 4096), mg(30, 4096), count="2,0")),
        ("mixed-dialects", pod(xg(64), cg(8))),
    ],
)
def test_a_softened_check_never_makes_a_wrong_patch(check: str, whole: Json, level: str) -> None:
    engine = engine_with(severities={check: level})
    verdict = engine.examine(whole, stage=Stage.MUTATE)
    assert (verdict.errors, verdict.patch) == ((), ())


def test_two_containers_of_one_name_cannot_be_told_apart_in_the_annotation() -> None:
    whole = huawei(xg(64), xg(128))
    whole["spec"]["containers"][1]["name"] = "c0"
    assert ENGINE.examine(whole, stage=Stage.MUTATE).patch == ()


@pytest.mark.parametrize("name", [None, 5, []])
def test_a_container_without_a_name_is_judged_but_not_patched(name: Any) -> None:
    for limits, expected in ((xg(64), set()), (xg(63), {"memory-step"})):
        whole = huawei(limits, count="2")
        whole["spec"]["containers"][0]["name"] = name
        assert errors(whole) == expected
        assert ENGINE.examine(whole, stage=Stage.MUTATE).patch == ()


def test_the_prefix_of_the_annotation_is_a_setting() -> None:
    engine = engine_with(annotation_prefix="gpu.example.com")
    whole = pod(xg(64), annotations={LIMITS: "mine"})
    result = mutated(whole, engine)
    assert result["metadata"]["annotations"] == {LIMITS: "mine", "gpu.example.com/limits": HUAWEI_LIMITS}
    assert errors(result, stage=Stage.VALIDATE, engine=engine) == set()


def test_a_pod_without_marks_is_left_alone() -> None:
    for whole in (pod(None), pod({"nvidia.com/gpu": 1}), pod({"nvidia.com/gpu": "500m"}), pod({"cpu": 1}, labels={XG_COUNT: "2"})):
        assert ENGINE.examine(whole, stage=Stage.MUTATE).patch == ()
    assert ENGINE.examine({"spec": {"containers": [container("a", xg(64))]}}).patch == ()
