"""What switches the isolation of a share off: privileged containers, variables of each vendor's runtime."""

from typing import Any

import pytest

from tests.support.pods import ENGINE, Json, alibaba, cg, container, huawei, mg, pod, volcengine, xg
from webhook import build_engine, load_settings
from webhook.core.share import Stage

POD = {"volcengine": volcengine(), "huawei": huawei(), "alibaba": alibaba()}
LIMITS = {"volcengine": mg(30, 4096), "huawei": xg(64), "alibaba": cg(8)}
DEVICES = "NVIDIA_VISIBLE_DEVICES"

VARIABLES: dict[str, tuple[str, Json, bool]] = {
    "all cards made visible": ("huawei", {"name": DEVICES, "value": "all"}, True),
    "one card made visible": ("volcengine", {"name": DEVICES, "value": "0"}, True),
    "a card made visible from elsewhere": ("alibaba", {"name": DEVICES, "valueFrom": {"fieldRef": {}}}, True),
    "no card made visible": ("huawei", {"name": DEVICES, "value": "void"}, False),
    "none made visible": ("huawei", {"name": DEVICES, "value": "none"}, False),
    "cGPU off": ("alibaba", {"name": "CGPU_DISABLE", "value": "true"}, True),
    "cGPU off by a number": ("alibaba", {"name": "CGPU_DISABLE", "value": "1"}, True),
    "cGPU off from elsewhere": ("alibaba", {"name": "CGPU_DISABLE", "valueFrom": {"configMapKeyRef": {}}}, True),
    "cGPU set to nothing": ("alibaba", {"name": "CGPU_DISABLE", "value": ""}, True),
    "cGPU set to nothing, as an API server stores it": ("alibaba", {"name": "CGPU_DISABLE"}, True),
    "cGPU left on": ("alibaba", {"name": "CGPU_DISABLE", "value": "false"}, False),
    "cGPU off where there is no cGPU": ("huawei", {"name": "CGPU_DISABLE", "value": "true"}, False),
    "an ordinary variable": ("alibaba", {"name": "CUDA_HOME", "value": "/usr"}, False),
}


def _pod(dialect: str, **fields: Any) -> Json:
    whole = pod(schedulerName=ENGINE.dialects[["alibaba", "huawei", "volcengine"].index(dialect)].scheduler_name)
    whole["spec"]["containers"] = [container("app", LIMITS[dialect], **fields)]
    return whole


@pytest.mark.parametrize("name", VARIABLES)
def test_a_variable_that_lifts_the_isolation_is_warned_of(name: str) -> None:
    dialect, variable, warned = VARIABLES[name]
    verdict = ENGINE.examine(_pod(dialect, env=[{"name": "A", "value": "b"}, variable]))
    found = [(finding.check, finding.severity, finding.container, str(finding.path)) for finding in verdict.findings]
    assert found == ([("isolation-bypass", "warning", "app", "spec.containers[0].env[1].name")] if warned else [])
    assert bool(verdict.patch) is True  # a warning never keeps a pod from its limits


@pytest.mark.parametrize(
    ("name", "value", "warned"),
    [
        ("CUDA_DEVICE_SM_LIMIT", "0", True),
        ("CUDA_DEVICE_MEMORY_LIMIT_0", "0", True),
        ("LD_PRELOAD", "false", True),
        ("CUDA_OVERSUBSCRIBE", "true", True),
        ("CUDA_OVERSUBSCRIBE", "false", False),
    ],
    ids=["compute of 0, which is no limit", "memory of 0, likewise", "another library first", "oversubscribed", "not oversubscribed"],
)
@pytest.mark.parametrize("dialect", ["hami", "volcano_vgpu"])
def test_only_a_flag_has_a_value_that_leaves_the_isolation_on(dialect: str, name: str, value: str, warned: bool) -> None:  # noqa: FBT001 - a parameter
    engine = build_engine(load_settings(None, {}, {f"dialects.{dialect}.enabled": True}))
    limits = {
        "hami": {"nvidia.com/gpu": 2, "nvidia.com/gpumem": 4096},
        "volcano_vgpu": {"volcano.sh/vgpu-number": 2, "volcano.sh/vgpu-memory": 4096},
    }
    whole = pod(schedulerName={"hami": "hami-scheduler", "volcano_vgpu": "volcano"}[dialect])
    whole["spec"]["containers"] = [container("app", limits[dialect], env=[{"name": name, "value": value}])]
    assert [finding.check for finding in engine.examine(whole).findings] == (["isolation-bypass"] if warned else [])


@pytest.mark.parametrize("dialect", LIMITS)
def test_a_privileged_container_that_shares_is_warned_of(dialect: str) -> None:
    verdict = ENGINE.examine(_pod(dialect, securityContext={"privileged": True}), stage=Stage.VALIDATE)
    assert [(finding.check, finding.severity, str(finding.path)) for finding in verdict.findings] == [
        ("isolation-bypass", "warning", "spec.containers[0].securityContext.privileged")
    ]


@pytest.mark.parametrize("privileged", [False, None, "true", 1])
def test_a_container_that_is_not_privileged_is_not(privileged: Any) -> None:
    assert ENGINE.examine(_pod("huawei", securityContext={"privileged": privileged})).findings == ()


@pytest.mark.parametrize("place", ["containers", "initContainers"])
@pytest.mark.parametrize("position", [0, 1])
def test_a_privileged_helper_that_shares_nothing_is_as_good_as_any_other(place: str, position: int) -> None:
    whole = _pod("huawei")
    whole["spec"].setdefault(place, []).insert(position, container("helper", securityContext={"privileged": True}))
    verdict = ENGINE.examine(whole)
    assert verdict.findings == ()
    assert bool(verdict.patch) is True
