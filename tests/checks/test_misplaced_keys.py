"""Counts and policies where no vendor reads them: warned of, never an error, with the place where they belong."""

from typing import Any

import pytest

from tests.support.pods import (
    CG_COUNT,
    CG_MEMORY,
    ENGINE,
    MG_CORE,
    MG_LIST,
    MG_MEMORY,
    MG_POLICY,
    XG_COUNT,
    XG_MEMORY,
    alibaba,
    cg,
    container,
    deployment,
    huawei,
    mg,
    pod,
    volcengine,
    workload,
    xg,
)
from webhook.core.engine import Verdict

RIGHT = {XG_COUNT: "labels", CG_COUNT: "labels", MG_LIST: "annotations", MG_POLICY: "annotations"}
ASKS = {XG_COUNT: xg(64), CG_COUNT: cg(8), MG_LIST: mg(30, 4096), MG_POLICY: mg(30, 4096)}
OTHER = {"labels": "annotations", "annotations": "labels"}


def _warned(verdict: Verdict) -> list[tuple[str, str]]:
    assert [finding.severity for finding in verdict.findings] == ["warning"] * len(verdict.findings)
    assert {finding.check for finding in verdict.findings} <= {"misplaced-key"}
    return [(str(finding.path), finding.hint) for finding in verdict.findings]


@pytest.mark.parametrize("key", RIGHT)
def test_a_key_in_the_other_place_of_the_pod_is_warned_of(key: str) -> None:
    place = RIGHT[key]
    keys: dict[str, Any] = {OTHER[place]: {key: "2"}}
    assert _warned(ENGINE.examine(pod(ASKS[key], **keys))) == [
        (f"metadata.{OTHER[place]}[{key}]", f"move it to metadata.{place} of the pod"),
    ]


@pytest.mark.parametrize("key", RIGHT)
@pytest.mark.parametrize("found", ["labels", "annotations"])
def test_a_key_on_the_workload_instead_of_its_template_is_warned_of(key: str, found: str) -> None:
    verdict = ENGINE.examine(deployment(pod(ASKS[key]), **{found: {key: "2"}}))
    assert _warned(verdict) == [(f"metadata.{found}[{key}]", f"move it to metadata.{RIGHT[key]} of the pod template")]
    assert "of the Deployment" in verdict.findings[0].message


def test_a_key_on_the_workload_is_warned_of_once_however_many_templates_lack_it() -> None:
    tasks = [{"name": name, "template": {"spec": pod(xg(64))["spec"]}} for name in ("ps", "worker")]
    job = workload("batch.volcano.sh/v1alpha1", "Job", {"tasks": tasks}, labels={XG_COUNT: "2"})
    assert len(_warned(ENGINE.examine(job))) == 1


def test_a_key_that_is_repeated_elsewhere_is_no_mistake() -> None:
    assert ENGINE.examine(deployment(huawei(xg(64), count="2"), labels={XG_COUNT: "2"})).findings == ()
    both = huawei(xg(64), count="2")
    both["metadata"]["annotations"] = {XG_COUNT: "2"}
    assert ENGINE.examine(both).findings == ()


@pytest.mark.parametrize(("key", "right"), [(XG_COUNT, "1"), (CG_COUNT, "1"), (MG_POLICY, "fixed-share")])
def test_a_key_that_says_something_else_elsewhere_is_warned_of_with_what_counts(key: str, right: str) -> None:
    place = RIGHT[key]
    keys: dict[str, Any] = {place: {key: right}, OTHER[place]: {key: "4"}}
    assert _warned(ENGINE.examine(pod(ASKS[key], **keys))) == [
        (f"metadata.{OTHER[place]}[{key}]", f"remove it here, or write '{right}' here, too")
    ]
    above = deployment(pod(ASKS[key], **{place: {key: right}}), **{place: {key: "4"}})
    verdict = ENGINE.examine(above)
    assert _warned(verdict) == [(f"metadata.{place}[{key}]", f"remove it here, or write '{right}' here, too")]
    assert f"of the pod template says '{right}', and that counts" in verdict.warnings[0].message


@pytest.mark.parametrize("key", [XG_COUNT, CG_COUNT, MG_LIST, MG_POLICY])
@pytest.mark.parametrize("bag", ["limits", "requests"])
def test_a_key_among_a_containers_resources_is_warned_of(key: str, bag: str) -> None:
    whole = pod(ASKS[key])
    whole["spec"]["containers"][0]["resources"].setdefault(bag, {})[key] = "2"
    ((path, hint),) = _warned(ENGINE.examine(whole))
    assert path == f"spec.containers[0].resources.{bag}[{key}]"
    assert hint.startswith(f"move it to metadata.{RIGHT[key]}")


@pytest.mark.parametrize("key", RIGHT)
def test_a_key_where_no_container_asks_is_warned_of_and_the_pod_left_alone(key: str) -> None:
    keys: dict[str, Any] = {RIGHT[key]: {key: "rubbish"}}
    verdict = ENGINE.examine(pod(None, **keys))
    ((path, _),) = _warned(verdict)
    assert path == f"metadata.{RIGHT[key]}[{key}]"
    assert (verdict.patch, verdict.pods) == ((), ())


def test_a_key_where_only_a_container_of_another_dialect_asks_changes_nothing_for_that_one() -> None:
    whole = alibaba(cg(8), count="2")
    whole["metadata"]["labels"][XG_COUNT] = "3"
    assert ENGINE.examine(whole).errors == ()


UNKNOWN: dict[str, tuple[str, str]] = {
    "vke.volcengine.com/mgpu-mem": ("volcengine", MG_MEMORY),
    "vke.volcengine.com/mgpu-cores": ("volcengine", MG_CORE),
    "volcano.sh/gpu-mem": ("huawei", XG_MEMORY),
    "volcano.sh/gpu-mem.128MiB": ("huawei", XG_MEMORY),
    "volcano.sh/gpu-mem.128mi": ("huawei", XG_MEMORY),
    "volcano.sh/gpu-core": ("huawei", "volcano.sh/gpu-core.percentage"),
    "aliyun.com/gpu-core": ("alibaba", "aliyun.com/gpu-core.percentage"),
    "aliyun.com/gpu-memory": ("alibaba", CG_MEMORY),
    "aliyun.com/gpu-counts": ("alibaba", CG_COUNT),
}


@pytest.mark.parametrize("key", UNKNOWN)
def test_a_near_miss_marks_the_pod_as_the_vendors_and_says_which_key_was_meant(key: str) -> None:
    dialect, meant = UNKNOWN[key]
    verdict = ENGINE.examine(pod({key: "8"}))
    (finding,) = verdict.findings
    assert (finding.check, finding.severity, verdict.dialects) == ("unknown-key", "warning", (dialect,))
    assert f"{meant} was meant" in finding.hint
    assert verdict.patch == ()


def test_a_near_miss_in_limits_and_requests_is_told_once() -> None:
    whole = pod({"aliyun.com/gpu-core": "8"})
    whole["spec"]["containers"][0]["resources"]["requests"] = {"aliyun.com/gpu-core": "8"}
    assert len(ENGINE.examine(whole).findings) == 1


@pytest.mark.parametrize("key", ["volcano.sh/gpu-memory", "volcano.sh/gpu-number"])
def test_a_key_of_another_stack_is_a_near_miss_only_beside_huaweis(key: str) -> None:
    assert [finding.check for finding in ENGINE.examine(huawei(xg(64) | {key: 1})).findings] == ["unknown-key"]
    assert ENGINE.examine(volcengine(mg(30, 4096) | {key: 1})).findings == ()


def test_a_near_miss_in_an_init_container_is_one_too() -> None:
    verdict = ENGINE.examine(pod(None, initContainers=[container("first", {"aliyun.com/gpu-core": "8"})]))
    assert [(finding.check, finding.container) for finding in verdict.findings] == [("unknown-key", "first")]
