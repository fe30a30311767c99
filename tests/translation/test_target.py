"""The setting `target`: pods are rewritten at creation, once, and refused where the target cannot say what they ask for."""

import json
from typing import Any

import pytest

from tests.support.pods import patched
from tests.translation.pods import BOTH_WAYS, Object, alibaba, huawei, pod, volcengine
from webhook import Engine, Stage, build_engine, load_settings

WORKED = volcengine((8192, 30), cards="2")
SOURCES = {"volcengine": WORKED, "huawei": huawei((64, 30), cards=2), "alibaba": alibaba((8, None), cards=2)}


def engine_for(target: str, **settings: Any) -> Engine:
    flags = {name.replace("__", "."): value for name, value in settings.items()}
    return build_engine(load_settings(None, {}, {"target": target, "dialects.baidu.card_model": "a10_24g", **flags}))


def rewritten(engine: Engine, obj: Object) -> Object:
    return patched(obj, engine.examine(obj, stage=Stage.MUTATE))


@pytest.mark.parametrize("source", SOURCES)
def test_a_pod_of_each_vendor_becomes_one_of_hami_with_the_figures_of_each_card(source: str) -> None:
    obj = rewritten(engine_for("hami"), SOURCES[source])
    cores = {} if source == "alibaba" else {"nvidia.com/gpucores": 15}
    (container,) = obj["spec"]["containers"]
    assert container["resources"]["limits"] == {"nvidia.com/gpu": 2, "nvidia.com/gpumem": 4096, **cores}
    assert container["resources"]["requests"] == container["resources"]["limits"]
    assert obj["spec"]["schedulerName"] == "hami-scheduler"
    figures = {"cards": 2, "memoryMiB": 4096} | ({} if source == "alibaba" else {"corePercent": 15})
    assert json.loads(obj["metadata"]["annotations"]["percard.webhook/limits"]) == {"containers": {"app": figures}, "dialect": "hami"}
    assert obj["metadata"]["annotations"]["percard.webhook/source"] == source
    assert obj["metadata"]["labels"] == {"app": "infer"}
    assert not any("volcengine.com" in key for key in obj["metadata"]["annotations"])


@pytest.mark.parametrize("target", BOTH_WAYS)
@pytest.mark.parametrize("source", SOURCES)
def test_what_is_rewritten_is_allowed_and_rewritten_once(source: str, target: str) -> None:
    engine = engine_for(target)
    first = engine.examine(SOURCES[source], stage=Stage.MUTATE)
    obj = patched(SOURCES[source], first)
    assert engine.examine(obj, stage=Stage.MUTATE).patch == ()
    final = engine.examine(obj, stage=Stage.VALIDATE)
    was_written = source == target or "percard.webhook/source" in obj["metadata"]["annotations"]
    assert [finding.check for finding in final.errors] == ([] if was_written else ["target-dialect"] * len(final.errors))
    assert bool(final.errors) is not was_written


def test_other_resources_labels_and_annotations_stay() -> None:
    obj = json.loads(json.dumps(WORKED))
    container = obj["spec"]["containers"][0]
    container["resources"]["limits"] |= {"cpu": "2", "memory": "8Gi"}
    container["resources"]["requests"] = {**container["resources"]["limits"], "cpu": "1"}
    obj["metadata"]["annotations"]["team"] = "vision"
    result = rewritten(engine_for("hami"), obj)
    ours = {"nvidia.com/gpu": 2, "nvidia.com/gpumem": 4096, "nvidia.com/gpucores": 15}
    assert result["spec"]["containers"][0]["resources"] == {
        "limits": {"cpu": "2", "memory": "8Gi", **ours},
        "requests": {"cpu": "1", "memory": "8Gi", **ours},
    }
    assert result["metadata"]["annotations"]["team"] == "vision"
    assert result["spec"]["containers"][0]["image"] == container["image"]


def test_containers_without_a_share_are_not_touched() -> None:
    obj = volcengine((None, 0), (8192, 30), cards="0,2")
    obj["spec"]["containers"][0].pop("resources")
    before = json.loads(json.dumps(obj["spec"]["containers"][0]))
    result = rewritten(engine_for("hami"), obj)
    assert result["spec"]["containers"][0] == before
    assert result["spec"]["containers"][1]["resources"]["limits"]["nvidia.com/gpumem"] == 4096


def test_the_sources_labels_and_annotations_stay_by_setting_and_are_no_marks() -> None:
    engine = engine_for("hami", target_keep_source=True)
    for name in ("huawei", "alibaba", "volcengine"):
        obj = rewritten(engine, SOURCES[name])
        metadata = SOURCES[name]["metadata"]
        assert metadata["labels"].items() <= obj["metadata"]["labels"].items()
        assert metadata["annotations"].items() <= obj["metadata"]["annotations"].items()
        final = engine.examine(obj, stage=Stage.VALIDATE)
        assert (final.findings, final.dialects) == ((), ("hami",))
        assert engine.examine(obj, stage=Stage.MUTATE).patch == ()


def test_what_would_be_lost_is_refused_with_its_reason() -> None:
    engine = engine_for("kai")
    assert engine.examine(WORKED, stage=Stage.MUTATE).patch == ()
    (finding,) = engine.examine(WORKED, stage=Stage.VALIDATE).errors
    assert finding.check == "target-dialect"
    assert finding.text == (
        "container 'app': cannot be written as KAI Scheduler: 15 % of compute on each card; KAI shares memory only [target-dialect]"
    )


def test_what_would_be_lost_is_left_out_by_setting() -> None:
    engine = engine_for("kai", target_allow_loss=True)
    obj = rewritten(engine, WORKED)
    assert obj["metadata"]["annotations"]["gpu-memory"] == "4096"
    assert engine.examine(obj, stage=Stage.VALIDATE).findings == ()


def test_what_the_target_cannot_say_at_all_is_refused_whatever_is_set() -> None:
    engine = engine_for("tencent", target_allow_loss=True)
    assert engine.examine(WORKED, stage=Stage.MUTATE).patch == ()
    (finding,) = engine.examine(WORKED, stage=Stage.VALIDATE).errors
    assert "15 % on each of 2 cards is 30 % in all" in finding.message


def test_a_privileged_container_is_not_written_for_hami_whose_webhook_refuses_it() -> None:
    obj = json.loads(json.dumps(WORKED))
    obj["spec"]["containers"][0]["securityContext"] = {"privileged": True}
    engine = engine_for("hami")
    assert engine.examine(obj, stage=Stage.MUTATE).patch == ()
    (finding,) = engine.examine(obj, stage=Stage.VALIDATE).errors
    assert "container 'app' is privileged" in finding.message


def test_a_pod_that_came_past_the_mutating_webhook_is_refused() -> None:
    (finding,) = engine_for("hami").examine(SOURCES["huawei"], stage=Stage.VALIDATE).errors
    assert finding.check == "target-dialect"
    assert "did not rewrite this pod for HAMi" in finding.message


def test_a_manifest_is_judged_by_what_will_become_of_it() -> None:
    assert engine_for("hami").examine(WORKED).findings == ()
    assert [finding.check for finding in engine_for("kai").examine(WORKED).findings] == ["target-dialect"]


def test_a_pod_with_errors_is_not_rewritten() -> None:
    odd = volcengine((8193, 30), cards="2")
    verdict = engine_for("hami").examine(odd, stage=Stage.MUTATE)
    assert (verdict.patch, [finding.check for finding in verdict.errors]) == ((), ["memory-step"])


def test_workloads_are_not_rewritten() -> None:
    template = {"metadata": WORKED["metadata"], "spec": WORKED["spec"]}
    workload = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "infer"}, "spec": {"template": template}}
    for stage in (Stage.MUTATE, Stage.VALIDATE):
        verdict = engine_for("hami").examine(workload, stage=stage)
        assert (verdict.patch, verdict.findings) == ((), ())


def test_a_pod_without_shares_is_nobodys() -> None:
    verdict = engine_for("hami").examine(pod({"nvidia.com/gpu": 1}), stage=Stage.MUTATE)
    assert (verdict.patch, verdict.findings, verdict.dialects) == ((), (), ())


def test_a_pod_in_the_targets_own_dialect_is_patched_as_any() -> None:
    obj = pod({"nvidia.com/gpu": 2, "nvidia.com/gpumem": 4096})
    result = rewritten(engine_for("hami"), obj)
    assert result["spec"]["schedulerName"] == "hami-scheduler"
    assert set(result["metadata"]["annotations"]) == {"percard.webhook/limits"}


@pytest.mark.parametrize(
    ("target", "given", "written"),
    [
        ("hami", None, "hami-scheduler"),
        ("hami", "default-scheduler", "hami-scheduler"),
        ("hami", "volcano", "hami-scheduler"),
        ("volcano_vgpu", "volcano", "volcano"),
        ("tencent", "volcano", "default-scheduler"),
        ("tencent", None, None),
    ],
)
def test_the_scheduler_is_the_targets(target: str, given: str | None, written: str | None) -> None:
    obj = json.loads(json.dumps(huawei((64, 30))))
    obj["spec"].pop("schedulerName")
    if given is not None:
        obj["spec"]["schedulerName"] = given
    assert rewritten(engine_for(target), obj)["spec"].get("schedulerName") == written


def test_the_variables_tell_what_the_target_gives() -> None:
    obj = rewritten(engine_for("huawei", inject_env=True), volcengine((4100, 14), cards="2"))
    # 2050 MiB and 7 % on each card become 2176 MiB (17 × 128) and 10 %
    assert obj["spec"]["containers"][0]["env"] == [
        {"name": "GPU_CARDS", "value": "2"},
        {"name": "GPU_MEMORY_MIB_PER_CARD", "value": "2176"},
        {"name": "GPU_CORE_PERCENT_PER_CARD", "value": "10"},
    ]


def test_a_reinvocation_after_a_sidecar_keeps_what_was_written() -> None:
    engine = engine_for("hami")
    obj = rewritten(engine, WORKED)
    obj["spec"]["containers"].insert(0, {"name": "proxy", "image": "registry.example/proxy:1"})
    again = engine.examine(obj, stage=Stage.MUTATE)
    assert (again.patch, again.findings) == ((), ())
