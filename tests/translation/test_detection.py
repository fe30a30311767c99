"""Which keys are whose: no false friends among the stacks, and nothing of the further ones unless a site enables them."""

from typing import Any

import pytest

from tests.translation.pods import Object, alibaba, engine, huawei, pod, volcengine
from webhook import build_engine, load_settings

WHOLE = pod({"nvidia.com/gpu": 2})


def dialects(obj: Object, **switched: Any) -> tuple[str, ...]:
    settings = {name.replace("__", "."): value for name, value in switched.items()}
    return build_engine(load_settings(None, {}, settings)).examine(obj).dialects


@pytest.mark.parametrize(
    ("obj", "expected"),
    [
        (WHOLE, ()),
        (pod({"nvidia.com/gpu.shared": 1}), ()),
        (pod({"nvidia.com/mig-1g.5gb": 1}), ()),
        (pod({"nvidia.com/gpu": 1, "nvidia.com/gpumem": 1000}), ("hami",)),
        (pod({"volcano.sh/vgpu-number": 1}), ("volcano_vgpu",)),
        (pod({"volcano.sh/gpu-number": 1}), ("volcano_gpushare",)),
        (pod({"volcano.sh/gpu-memory": 1000}), ("volcano_gpushare",)),
        (pod({"volcano.sh/gpu-mem.128Mi": 8}), ("huawei",)),
        (pod({"koordinator.sh/rdma": 1}), ()),
        (pod({"koordinator.sh/gpu-memory": "8Gi"}), ("koordinator",)),
        (pod({"baidu.com/rdma": 1}), ()),
        (pod({"baidu.com/t4_16g_cgpu": 1}), ("baidu",)),
        (pod({}, annotations={"gpu-memory": "2000"}), ("kai",)),
        (pod({}, labels={"gpu-memory": "2000"}), ()),
        (pod({}, annotations={"kai.scheduler/queue": "team"}), ()),
        (pod({"tke.cloud.tencent.com/qgpu-core": 30, "tke.cloud.tencent.com/qgpu-memory": 5}), ("tencent",)),
        (pod({"aliyun.com/gpu": 1}), ()),
        (volcengine((4096, 30)), ("volcengine",)),
        (huawei((8, None)), ("huawei",)),
        (alibaba((8, None)), ("alibaba",)),
    ],
)
def test_with_every_dialect_each_key_is_its_own_stacks(obj: Object, expected: tuple[str, ...]) -> None:
    assert engine().examine(obj).dialects == expected


@pytest.mark.parametrize(
    "limits",
    [
        {"nvidia.com/gpu": 1, "nvidia.com/gpumem": "4Gi"},
        {"volcano.sh/vgpu-number": 1, "volcano.sh/vgpu-cores": 150},
        {"koordinator.sh/gpu-core": 50},
        {"tke.cloud.tencent.com/qgpu-core": 33},
        {"baidu.com/v100_32g_cgpu_core": 50},
        {"volcano.sh/gpu-memory": 0},
    ],
)
def test_what_is_not_enabled_is_nobodys_however_wrong(limits: dict[str, Any]) -> None:
    verdict = build_engine().examine(pod(limits))
    assert (verdict.dialects, verdict.findings, verdict.patch) == ((), (), ())


def test_a_site_enables_a_dialect() -> None:
    obj = pod({"nvidia.com/gpu": 1, "nvidia.com/gpumem": "4Gi"})
    assert dialects(obj) == ()
    assert dialects(obj, dialects__hami__enabled=True) == ("hami",)


def test_whole_cards_beside_a_share_stay_excluded_unless_they_are_the_dialects_own_count() -> None:
    found = {finding.check for finding in engine().examine(pod({"nvidia.com/gpu": 1, "volcano.sh/gpu-mem.128Mi": 8})).errors}
    assert found == {"excluded-resource"}
    assert engine().examine(pod({"nvidia.com/gpu": 1, "nvidia.com/gpumem": 1000}, schedulerName="hami-scheduler")).findings == ()
    mixed = pod({"amd.com/gpu": 1, "nvidia.com/gpumem": 1000}, schedulerName="hami-scheduler")
    assert {finding.check for finding in engine().examine(mixed).errors} == {"excluded-resource"}


def test_beside_a_hami_share_a_container_with_a_count_alone_takes_whole_cards() -> None:
    obj = pod({"nvidia.com/gpu": 2}, {}, {"nvidia.com/gpu": 1, "nvidia.com/gpumem": 1000}, schedulerName="hami-scheduler")
    verdict = engine().examine(obj)
    (gpu,) = verdict.pods
    assert verdict.findings == ()
    assert [(share.name, share.cards, share.whole) for share in gpu.shares] == [("app", 2, True), ("app-2", 1, False)]


def test_hami_gives_init_containers_cards_of_their_own() -> None:
    obj = pod({"nvidia.com/gpumem": 1000}, schedulerName="hami-scheduler")
    limits = {"nvidia.com/gpu": 1, "nvidia.com/gpumem": 500}
    obj["spec"]["initContainers"] = [{"name": "warm", "image": "registry.example/infer:1", "resources": {"limits": limits}}]
    assert engine().examine(obj).findings == ()


def test_two_stacks_in_one_pod_are_two_dialects() -> None:
    obj = pod({"volcano.sh/gpu-mem.128Mi": 8}, annotations={"gpu-fraction": "0.5"}, schedulerName="volcano")
    found = [str(finding.path) for finding in engine().examine(obj).errors if finding.check == "mixed-dialects"]
    assert found == ["spec.containers[0].resources.limits[volcano.sh/gpu-mem.128Mi]", "metadata.annotations.gpu-fraction"]
