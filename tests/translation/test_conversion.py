"""Whole objects on their way into another dialect: what becomes of them, what is told, and when they stay as they are."""

import copy
import json
from typing import Any

import pytest

from tests.translation.pods import Object, dialect, engine, huawei, volcengine
from webhook import Stage, load_settings
from webhook.core.conversion import Conversion, Converter, applied
from webhook.core.patch import PatchOp
from webhook.wiring import build_translator

WORKED = volcengine((8192, 30), cards="2")
MEMORY_AT = ("resources", "limits", "vke.volcengine.com/mgpu-memory")
LIMITS = "percard.webhook/limits"


def into(target: str, obj: Any, *, allow_loss: bool = False) -> Conversion:
    return Converter(engine(), dialect(target), allow_loss=allow_loss).convert(obj)


def limits(obj: Object, container: int = 0) -> Object:
    found: Object = obj["spec"]["containers"][container]["resources"]["limits"]
    return found


def test_an_object_is_written_anew_and_the_one_given_stays() -> None:
    before = copy.deepcopy(WORKED)
    converted = into("hami", WORKED)
    assert before == WORKED
    assert (converted.carried, converted.told, converted.findings, converted.beside) == (True, [], (), [])
    assert limits(converted.data) == {"nvidia.com/gpu": 2, "nvidia.com/gpumem": 4096, "nvidia.com/gpucores": 15}


def test_every_pod_of_an_object_is_written() -> None:
    converted = into("hami", {"apiVersion": "v1", "kind": "List", "items": [WORKED, huawei((64, None))]})
    assert [limits(item).get("nvidia.com/gpumem") for item in converted.data["items"]] == [4096, 8192]


def test_what_the_source_is_warned_of_is_passed_on() -> None:
    obj = huawei((64, 30))
    obj["spec"]["containers"][0]["securityContext"] = {"privileged": True}
    converted = into("volcengine", obj)
    assert converted.carried
    assert [(finding.check, finding.severity) for finding in converted.findings] == [("isolation-bypass", "warning")]


def test_an_object_with_errors_stays_as_it_is_though_it_could_be_written() -> None:
    obj = volcengine((8192, 30), cards="2")
    del obj["metadata"]["annotations"]["vke.volcengine.com/mgpu-compute-policy"]
    converted = into("hami", obj)
    assert (converted.carried, converted.data, converted.told) == (False, obj, [])
    assert [finding.check for finding in converted.findings] == ["compute-policy"]


def test_an_object_without_a_share_stays_as_it_is_and_all_is_well() -> None:
    obj = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}}
    converted = into("hami", obj)
    assert (converted.carried, converted.data) == (True, obj)


@pytest.mark.parametrize(("taken_from", "carried"), [({}, False), ({"resourceVersion": "7"}, True)], ids=["a manifest", "a cluster"])
def test_an_object_is_judged_before_and_after_by_where_it_was_taken_from(taken_from: Object, *, carried: bool) -> None:
    bound = volcengine((8192, 30), cards="2")
    bound["spec"]["nodeName"] = "node-1"  # which is refused of a new pod
    bound["metadata"] |= taken_from
    converted = into("hami", bound)
    assert converted.carried is carried
    assert (converted.data != bound) is carried


def test_what_would_be_lost_is_told_of_its_container_and_nothing_is_written() -> None:
    converted = into("kai", WORKED)
    assert (converted.carried, converted.data) == (False, WORKED)
    (lost,) = [told for told in converted.told if told.remark.outcome == "lost"]
    assert lost.where == ("spec", "containers", 0, *MEMORY_AT)
    assert lost.remark.container == "app"


def test_with_loss_allowed_the_rest_is_written() -> None:
    converted = into("kai", WORKED, allow_loss=True)
    assert converted.carried
    assert converted.data["metadata"]["annotations"] == {"gpu-memory": "4096", "gpu-fraction-num-devices": "2"}


def test_what_would_break_a_rule_of_the_target_is_not_written() -> None:
    site = build_translator(load_settings(None, {}, {"checks.isolation_bypass.severity": "error"}))
    obj = huawei((64, 30))
    obj["spec"]["containers"][0]["env"] = [{"name": "LD_PRELOAD", "value": "/lib/mine.so"}]  # lifts HAMi's isolation, not Huawei's
    for target in ("hami", "dra"):
        known = next(found for found in site.dialects if found.id == target)
        converted = Converter(site, known).convert(obj)
        broken = target == "hami"
        assert (converted.carried, converted.data == obj) == (not broken, broken)
        assert [finding.check for finding in converted.findings] == (["isolation-bypass"] if broken else [])


def test_a_target_of_the_site_is_no_target_of_a_conversion() -> None:
    site = build_translator(load_settings(None, {}, {"target": "hami"}))
    assert site.rules.target is None
    assert site.examine(WORKED, stage=Stage.VALIDATE).findings == ()


@pytest.mark.parametrize(("target", "figures"), [("hami", '"corePercent":15,'), ("dra", '"corePercent":15,')])
def test_percards_own_annotation_tells_the_new_figures_where_there_is_one(target: str, figures: str) -> None:
    obj = volcengine((8192, 30), cards="2")
    obj["metadata"]["annotations"][LIMITS] = '{"containers":{"app":{"cards":2,"corePercent":15,"memoryMiB":4096}},"dialect":"volcengine"}'
    converted = into(target, obj)
    wanted = f'{{"containers":{{"app":{{"cards":2,{figures}"memoryMiB":4096}}}},"dialect":"{target}"}}'
    assert converted.data["metadata"]["annotations"] == {LIMITS: wanted}
    assert LIMITS not in into(target, WORKED).data["metadata"].get("annotations", {})


def test_a_remark_stands_at_the_container_that_it_is_about() -> None:
    # 4100 MiB become 33 blocks of 128 MiB, and 33 % become 35 %
    pods = {0: volcengine((4100, 30), (4096, 30)), 1: volcengine((4096, 30), (4096, 33))}
    for index, obj in pods.items():
        (told,) = into("huawei", obj).told
        assert told.where == ("spec", "containers", index, *MEMORY_AT)


def test_a_remark_on_the_whole_pod_stands_at_the_pod() -> None:
    template = {"metadata": {}, "spec": volcengine((4096, 30), (4096, 30))["spec"]}
    workload = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "w"}, "spec": {"template": template}}
    (told,) = into("koordinator", workload).told
    assert told.remark.text == "Koordinator adds up the 2 containers, and each of them sees all cards of the pod"
    assert (told.where, told.remark.container) == (("spec", "template"), None)


@pytest.mark.parametrize("selector", [{"matchLabels": {"app": "infer", "volcano.sh/gpu-num": "2"}}, {"volcano.sh/gpu-num": "2"}])
def test_a_label_that_a_workload_selects_its_pods_by_stays(selector: Object) -> None:
    kinds = {True: ("apps/v1", "Deployment"), False: ("v1", "ReplicationController")}
    version, kind = kinds["matchLabels" in selector]
    whole = huawei((64, 30), cards=2)
    for selected in (True, False):
        spec = {"selector": selector if selected else {"matchLabels": {"app": "infer"}}, "template": copy.deepcopy(whole)}
        converted = into("hami", {"apiVersion": version, "kind": kind, "metadata": {"name": "w"}, "spec": spec})
        labels = converted.data["spec"]["template"]["metadata"]["labels"]
        assert labels == {"app": "infer"} | ({"volcano.sh/gpu-num": "2"} if selected else {})


def test_operations_are_applied_to_a_copy() -> None:
    data = {"a~b": {"c/d": 1, "e": 2}, "list": [1], "shared": {"x": [1]}}
    before = json.dumps(data)
    added = {"y": [2]}
    operations = [PatchOp("remove", "/a~0b/c~1d", None), PatchOp("add", "/list/-", added), PatchOp("replace", "/shared/x", added)]
    changed = applied(data, operations)
    assert changed == {"a~b": {"e": 2}, "list": [1, {"y": [2]}], "shared": {"x": {"y": [2]}}}
    assert json.dumps(data) == before
    changed["list"][1]["y"].append(3)
    changed["shared"]["x"]["y"].append(4)
    assert added == {"y": [2]}
