"""Keys that only schedulers write: refused with a new pod or template, let through later, never echoed with their value."""

from typing import Any

import pytest

from tests.support.pods import ENGINE, Json, alibaba, container, deployment, errors, huawei, pod, two_cards, xg
from webhook.core.share import Stage

KEYS = [
    "vke.volcengine.com/assumed",
    "vke.volcengine.com/gpu-index-container-app",
    "scheduler.framework.gpushare.allocation",
    "scheduler.framework.gpushare.assume-time",
    "gpushare.alibabacloud.com/core-percentage",
    "gpushare.alibabacloud.com/assigned",
    "ALIYUN_COM_GPU_MEM_IDX",
    "volcano.sh/gpu-index",
    "volcano.sh/predicate-time",
    "volcano.sh/vgpu-ids-new",
    "volcano.sh/devices-to-allocate",
    "volcano.sh/vgpu-node",
    "volcano.sh/vgpu-time",
    "volcano.sh/bind-phase",
    "volcano.sh/bind-time",
    "hami.io/vgpu-devices-to-allocate",
    "hami.io/vgpu-node",
    "hami.io/bind-time",
    "scheduling.koordinator.sh/device-allocated",
    "runai-gpu-group",
    "runai-gpu-group/g1",
    "runai/shared-gpu-configmap",
]
# Keys of the same vendors that a user may well set.
FREE = [
    "vke.volcengine.com/assumed-by-me",
    "volcano.sh/gpu-index-of-mine",
    "volcano.sh/vgpu-mode",
    "hami.io/node-scheduler-policy",
    "scheduling.koordinator.sh/device-allocate-hint",
    "gpushare.example.com/assigned",
]


def _with(whole: Json, place: str, key: str) -> Json:
    whole["metadata"].setdefault(place, {})[key] = "canary"
    return whole


@pytest.mark.parametrize("place", ["annotations", "labels"])
@pytest.mark.parametrize("key", KEYS)
def test_a_key_of_a_scheduler_may_not_come_with_a_new_pod(key: str, place: str) -> None:
    verdict = ENGINE.examine(_with(huawei(), place, key), stage=Stage.VALIDATE)
    found = [finding for finding in verdict.errors if finding.check == "reserved-key"]
    assert [finding.path.parts for finding in found] == [("metadata", place, key)]
    assert "canary" not in f"{found[0]}"


@pytest.mark.parametrize("key", FREE)
def test_a_key_that_only_looks_like_one_may(key: str) -> None:
    assert errors(_with(huawei(), "annotations", key)) == set()


@pytest.mark.parametrize("dialect", ["volcengine", "huawei", "alibaba"])
def test_every_dialect_minds_the_keys_of_all(dialect: str) -> None:
    assert errors(_with(two_cards(dialect), "annotations", "hami.io/vgpu-node")) == {"reserved-key"}


@pytest.mark.parametrize(("stage", "refused"), [(Stage.MANIFEST, True), (Stage.MUTATE, True), (Stage.VALIDATE, True), (Stage.LIVE, False)])
def test_only_new_objects_are_refused(stage: Stage, *, refused: bool) -> None:
    whole = _with(huawei(schedulerName="volcano"), "annotations", "volcano.sh/bind-phase")
    assert errors(whole, stage=stage) == ({"reserved-key"} if refused else set())
    assert errors(deployment(whole), stage=stage) == ({"reserved-key"} if refused else set())


def test_the_scheduler_itself_may_write_them_later() -> None:
    whole = huawei(schedulerName="volcano")
    assert errors(_with(huawei(schedulerName="volcano"), "annotations", "volcano.sh/gpu-index"), whole) == set()


def test_a_changed_template_may_not_bring_one_in() -> None:
    bad = deployment(_with(huawei(), "annotations", "volcano.sh/gpu-index"))
    assert errors(bad, deployment(huawei())) == {"reserved-key"}


def test_a_pod_that_shares_nothing_is_nobodys_business() -> None:
    assert ENGINE.examine(_with(pod(None), "annotations", "hami.io/vgpu-node")).findings == ()


@pytest.mark.parametrize("variable", ["ALIYUN_COM_GPU_MEM_DEV", "ALIYUN_COM_GPU_MEM_CONTAINER"])
def test_a_variable_that_the_device_plugin_injects_may_not_be_set(variable: str) -> None:
    whole = alibaba()
    whole["spec"]["containers"] = [
        container("app", {"aliyun.com/gpu-mem": 8}, env=[{"name": "A", "value": "1"}, {"name": variable, "value": "canary"}]),
        container("other", env=[{"name": variable, "value": "15"}]),
    ]
    (finding,) = ENGINE.examine(whole).errors
    assert (finding.check, finding.container, str(finding.path)) == ("reserved-key", "app", "spec.containers[0].env[1].name")
    assert "canary" not in f"{finding}"


def test_an_environment_that_is_no_list_of_mappings_is_survived() -> None:
    damaged: list[Any] = [None, {}, "x", [1, None, [], {"name": 3}, {}]]
    for env in damaged:
        whole = huawei()
        whole["spec"]["containers"] = [container("app", xg(64), env=env)]
        assert ENGINE.examine(whole).findings == ()
