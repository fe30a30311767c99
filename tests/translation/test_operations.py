"""The operations of a rewriting patch: what is added, replaced and removed, and where."""

from typing import Any

import pytest

from tests.support.pods import workload
from tests.translation.pods import Object, dialect, draft_of, engine, huawei, pod, volcengine
from tests.translation.test_target import engine_for, rewritten
from tests.translation.test_vectors import KOORDINATOR, hami, kai
from webhook import Stage
from webhook.core.conversion import Converter

LIMITS_AT = "/spec/containers/0/resources/limits"
REQUESTS_AT = "/spec/containers/0/resources/requests"
OURS = {"nvidia.com/gpu": 1, "nvidia.com/gpumem": 8192}


def operations(target: str, obj: Object, **settings: Any) -> dict[str, tuple[str, Any]]:
    """Return what is done at each path; no path is touched twice."""
    patch = engine_for(target, **settings).examine(obj, stage=Stage.MUTATE).patch
    found: dict[str, tuple[str, Any]] = {operation.path: (operation.op, operation.value) for operation in patch}
    assert len(found) == len(patch)
    return found


@pytest.mark.parametrize(("given", "op"), [(None, "add"), ("volcano", "replace"), ("", "replace")])
def test_the_scheduler_is_added_or_replaced(given: str | None, op: str) -> None:
    obj = huawei((64, None))
    del obj["spec"]["schedulerName"]
    obj["spec"] |= {} if given is None else {"schedulerName": given}
    assert operations("hami", obj)["/spec/schedulerName"] == (op, "hami-scheduler")


def test_a_scheduler_that_knows_the_target_stays() -> None:
    assert "/spec/schedulerName" not in operations("volcengine", huawei((64, 30)))  # Volcano schedules both
    assert "/spec/schedulerName" not in operations("volcano_vgpu", huawei((64, 30)))


@pytest.mark.parametrize(("foreign", "written"), [("warn", "mine"), ("override", "hami-scheduler")])
def test_a_foreign_scheduler_stays_unless_the_site_overrides_it(foreign: str, written: str) -> None:
    obj = huawei((64, None))
    obj["spec"]["schedulerName"] = "mine"
    assert rewritten(engine_for("hami", foreign_scheduler=foreign), obj)["spec"]["schedulerName"] == written


@pytest.mark.parametrize(
    ("resources", "limits", "requests"),
    [
        ({"limits": {"volcano.sh/gpu-mem.128Mi": 64}}, ("replace", OURS), ("add", OURS)),
        (
            {"limits": {"volcano.sh/gpu-mem.128Mi": 64, "cpu": "2"}, "requests": {"volcano.sh/gpu-mem.128Mi": 64, "cpu": "1"}},
            ("replace", {"cpu": "2", **OURS}),
            ("replace", {"cpu": "1", **OURS}),
        ),
        ({"requests": {"volcano.sh/gpu-mem.128Mi": 64}}, ("add", OURS), ("replace", OURS)),
        ({"limits": {"volcano.sh/gpu-mem.128Mi": 64}, "requests": {"cpu": "1"}}, ("replace", OURS), ("replace", {"cpu": "1", **OURS})),
    ],
    ids=["limits alone", "both", "requests alone", "requests for something else"],
)
def test_limits_and_requests_get_the_same_amounts(resources: Object, limits: tuple[str, Object], requests: tuple[str, Object]) -> None:
    obj = huawei((64, None))
    obj["spec"]["containers"][0]["resources"] = resources
    done = operations("hami", obj, checks__requests_limits__severity="warning")
    assert (done[LIMITS_AT], done[REQUESTS_AT]) == (limits, requests)


def test_annotations_are_added_replaced_or_left() -> None:
    source, limits = "percard.webhook/source", "percard.webhook/limits"
    text = '{"containers":{"app":{"cards":1,"memoryMiB":8192}},"dialect":"hami"}'
    at = "/metadata/annotations/percard.webhook~1"
    for present, done in (
        ({}, {"source": ("add", "huawei"), "limits": ("add", text)}),
        ({source: "alibaba", limits: "{}"}, {"source": ("replace", "huawei"), "limits": ("replace", text)}),
        ({source: "huawei"}, {"limits": ("add", text)}),
    ):
        obj = huawei((64, None))
        obj["metadata"]["annotations"] = present
        found = operations("hami", obj)
        assert {path.removeprefix(at): what for path, what in found.items() if "annotations" in path} == done


@pytest.mark.parametrize("without", ["annotations", "labels"])
def test_what_is_not_there_is_added_whole(without: str) -> None:
    obj = hami(gpu=2, gpumem=4096)
    del obj["metadata"][without]
    found = operations("huawei", obj, dialects__hami__enabled=True)
    if without == "labels":
        assert found["/metadata/labels"] == ("add", {"volcano.sh/gpu-num": "2"})
    else:
        assert set(found["/metadata/annotations"][1]) == {"percard.webhook/source", "percard.webhook/limits"}


def test_a_template_without_metadata_gets_one() -> None:
    template = {"spec": hami(gpu=2, gpumem=4096)["spec"]}
    job = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "w"}, "spec": {"template": template}}
    for target, metadata in (
        ("huawei", {"labels": {"volcano.sh/gpu-num": "2"}}),
        ("kai", {"annotations": {"gpu-memory": "4096", "gpu-fraction-num-devices": "2"}}),
    ):
        converted = Converter(engine(), dialect(target)).convert(job)
        assert converted.data["spec"]["template"]["metadata"] == metadata


def test_a_template_of_an_argo_workflow_names_its_scheduler_itself() -> None:
    container = {"image": "a", "name": "main", "resources": {"limits": {"volcano.sh/gpu-mem.128Mi": 64}}}
    obj = workload("argoproj.io/v1alpha1", "Workflow", {"templates": [{"name": "t", "container": container}]})
    (template,) = Converter(engine(), dialect("hami")).convert(obj).data["spec"]["templates"]
    assert template["schedulerName"] == "hami-scheduler"
    assert template["container"]["resources"] == {"limits": OURS, "requests": OURS}
    assert "spec" not in template


def test_the_last_of_the_sources_keys_takes_the_whole_with_it() -> None:
    obj = volcengine((8192, 30), cards="2")
    converted = Converter(engine(), dialect("hami")).convert(obj).data
    assert converted["metadata"] == {"name": "infer", "labels": {"app": "infer"}}
    bare = huawei((64, None))
    (container,) = Converter(engine(), dialect("kai")).convert(bare).data["spec"]["containers"]
    assert "resources" not in container


def test_what_the_source_says_beside_its_share_is_told_as_lost() -> None:
    gpu_type = hami(gpu=1, gpumem=4096)
    gpu_type["metadata"]["annotations"]["nvidia.com/use-gputype"] = "A10"
    provider = pod(
        {f"{KOORDINATOR}-memory": "8Gi"}, schedulerName="koord-scheduler", labels={f"{KOORDINATOR}-isolation-provider": "HAMi-core"}
    )
    placed = pod({"aliyun.com/gpu-mem": 8}, labels={"ack.gpushare.placement": "require-whole-device"})
    for obj, text in (
        (gpu_type, "the pod's annotation nvidia.com/use-gputype has no counterpart in Huawei CCE xGPU"),
        (provider, f"the pod's label {KOORDINATOR}-isolation-provider has no counterpart in Huawei CCE xGPU"),
        (placed, "the pod's label ack.gpushare.placement has no counterpart in Huawei CCE xGPU"),
    ):
        assert ("lost", text, None) in draft_of(obj, "huawei").remarks
    assert [remark for remark in draft_of(kai(memory="4096"), "hami").remarks if remark.outcome == "lost"] == []


@pytest.mark.parametrize("policy", ["fixed-share", "guaranteed-burst-share", "native-burst-share", None])
def test_a_compute_policy_is_told_where_it_is_not_the_one_of_several_cards(policy: str | None) -> None:
    obj = volcengine((4096, 30))
    obj["metadata"]["annotations"] = {} if policy is None else {"vke.volcengine.com/mgpu-compute-policy": policy}
    told = [remark.text for remark in draft_of(obj, "hami").remarks]
    text = f"the compute policy {policy} is not written: how hard the limits are is decided on the nodes of HAMi"
    assert told == ([] if policy in (None, "native-burst-share") else [text])
