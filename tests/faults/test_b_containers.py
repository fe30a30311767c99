"""Faults of others with containers, kinds of pods and placement (letter B)."""

import copy
import json
from typing import Any

import pytest

from tests.support.door import ask, denied_at, operations
from tests.support.pods import (
    CG_MEMORY,
    LIMITS,
    MG_LIST,
    XG_COUNT,
    XG_MEMORY,
    Json,
    alibaba,
    cg,
    container,
    deployment,
    huawei,
    mg,
    mutated,
    pod,
    two_cards,
    volcengine,
    xg,
)

DIALECTS = ("volcengine", "huawei", "alibaba")


def test_b01_a_share_in_an_init_container_is_refused_and_the_pod_not_patched() -> None:
    whole = pod(None, labels={XG_COUNT: "2"}, initContainers=[container("first", xg(64))])
    assert operations(ask("mutate", whole)) == []
    ((field, message),) = denied_at(ask("validate", whole)).items()
    assert field == f"spec.initContainers[0].resources.limits[{XG_MEMORY}]"
    assert message.startswith("percard: container 'first': is an init container")


def test_b03_a_share_in_a_native_sidecar_is_refused_and_an_app_alone_is_not_affected() -> None:
    sidecar = container("sidecar", cg(4), restartPolicy="Always")
    causes = denied_at(ask("validate", alibaba(cg(4), initContainers=[sidecar])))
    assert list(causes) == [f"spec.initContainers[0].resources.limits[{CG_MEMORY}]"]
    assert "native sidecar" in str(causes)
    assert ask("validate", alibaba(cg(4)))["allowed"] is True


@pytest.mark.parametrize("place", ["first", "last", "init"])
def test_b06_a_privileged_helper_without_a_share_neither_stops_the_pod_nor_makes_it_pass(place: str) -> None:
    helper = container("helper", securityContext={"privileged": True})
    for blocks, allowed in ((64, True), (63, False)):
        whole = huawei(xg(blocks), count="2", schedulerName="volcano")
        if place == "init":
            whole["spec"]["initContainers"] = [helper]
        else:
            whole["spec"]["containers"].insert(0 if place == "first" else 1, helper)
        assert ask("validate", whole)["allowed"] is allowed
        assert bool(operations(ask("mutate", whole))) is allowed


@pytest.mark.parametrize("dialect", DIALECTS)
def test_b07_a_privileged_container_with_a_share_is_patched_judged_and_warned_of(dialect: str) -> None:
    whole = two_cards(dialect)
    whole["spec"]["containers"][0]["securityContext"] = {"privileged": True}
    assert operations(ask("mutate", whole)) != []
    answer = ask("validate", mutated(whole))
    assert answer["allowed"] is True
    assert ["[isolation-bypass]" in warning for warning in answer["warnings"]] == [True]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_b08_a_preset_node_is_refused_with_what_to_use_instead(dialect: str) -> None:
    whole = mutated(two_cards(dialect))
    whole["spec"]["nodeName"] = "n1"
    causes = denied_at(ask("validate", whole))
    assert list(causes) == ["spec.nodeName"]
    assert "nodeSelector" in causes["spec.nodeName"]


def test_b08_a_preset_node_of_a_pod_without_a_share_is_fine() -> None:
    assert ask("validate", pod(None, nodeName="n1"))["allowed"] is True


def test_b10_an_ephemeral_container_for_debugging_passes() -> None:
    old = mutated(huawei(xg(64), count="2"))
    debugged = copy.deepcopy(old)
    debugged["spec"]["ephemeralContainers"] = [container("debug")]
    for endpoint in ("mutate", "validate"):
        answer = ask(endpoint, debugged, old, subResource="ephemeralcontainers")
        assert operations(answer) == []


def test_b12_a_container_name_of_63_characters_stays_out_of_the_keys() -> None:
    names = [f"{'a' * 60}{index:03}" for index in range(1000)]
    whole = huawei(*[xg(64)] * 1000, count="2")
    for found, name in zip(whole["spec"]["containers"], names, strict=True):
        found["name"] = name
    annotations = mutated(whole)["metadata"]["annotations"]
    assert list(annotations) == [LIMITS]
    assert sorted(json.loads(annotations[LIMITS])["containers"]) == names
    assert len(annotations[LIMITS]) < 256 * 1024


def test_b13_two_containers_that_share_get_a_figure_each_and_no_wrong_sum() -> None:
    limits = json.loads(mutated(alibaba(cg(1), cg(2), count="1"))["metadata"]["annotations"][LIMITS])
    assert {name: figures["memoryMiB"] for name, figures in limits["containers"].items()} == {"c0": 1024, "c1": 2048}
    assert ask("validate", alibaba(cg(1), cg(2), count="1"))["allowed"] is True


def test_b17_limits_are_the_truth_wherever_requests_stand() -> None:
    whole = pod(None, schedulerName="volcano")
    for resources, allowed in (
        ({"limits": xg(64)}, True),
        ({"limits": xg(64), "requests": xg(64)}, True),
        ({"limits": xg(64), "requests": xg(32)}, False),
        ({"requests": xg(64)}, False),
    ):
        whole["spec"]["containers"][0]["resources"] = resources
        assert ask("validate", whole)["allowed"] is allowed
    assert "[requests-limits]" in str(denied_at(ask("validate", whole)))


@pytest.mark.parametrize("same_container", [True, False])
def test_b18_whole_cards_beside_a_share_are_refused_with_both_keys_and_containers(*, same_container: bool) -> None:
    card = {"nvidia.com/gpu": 1}
    whole = alibaba(cg(4) | card) if same_container else alibaba(cg(4), card)
    ((field, message),) = denied_at(ask("validate", whole)).items()
    holder = "c0" if same_container else "c1"
    assert field == f"spec.containers[{holder[1]}].resources.limits[nvidia.com/gpu]"
    assert message.startswith(f"percard: container '{holder}': nvidia.com/gpu")
    assert f"{CG_MEMORY} in container 'c0'" in message


@pytest.mark.parametrize(
    ("one", "other"),
    [(mg(30, 4096), xg(64)), (xg(64), cg(8)), (cg(8), mg(30, 4096))],
)
@pytest.mark.parametrize("same_container", [True, False])
def test_b19_two_dialects_in_one_pod_are_refused_with_a_key_of_each(one: Json, other: Json, *, same_container: bool) -> None:
    whole = pod(one | other) if same_container else pod(one, other)
    causes = {field: message for field, message in denied_at(ask("validate", whole)).items() if "[mixed-dialects]" in message}
    assert len(causes) == 2
    for limits in (one, other):
        assert sum(any(f"[{key}]" in field for key in limits) for field in causes) == 1
        assert [any(key in message for key in limits) for message in causes.values()] == [True, True]
    assert operations(ask("mutate", whole)) == []


@pytest.mark.parametrize("limits", [{"nvidia.com/gpu": 1}, {"amd.com/gpu": 1}, {"nvidia.com/mig-1g.5gb": 1}, {"aliyun.com/gpu": 1}])
def test_b21_a_pod_with_whole_cards_only_is_left_alone(limits: Json) -> None:
    assert operations(ask("mutate", pod(limits))) == []
    assert ask("validate", pod(limits))["allowed"] is True


def test_b23_a_pod_born_while_the_hook_was_down_is_refused_at_once_and_never_patched_later() -> None:
    whole = huawei(xg(64), count="2", schedulerName="default-scheduler")
    assert list(denied_at(ask("validate", whole))) == ["spec.schedulerName"]
    labelled = copy.deepcopy(whole)
    labelled["metadata"]["labels"]["note"] = "x"
    assert operations(ask("mutate", labelled, whole)) == []
    assert ask("validate", labelled, whole)["allowed"] is True


@pytest.mark.parametrize(
    ("whole", "field"),
    [
        (huawei(count="two"), f"metadata.labels[{XG_COUNT}]"),
        (volcengine(count="two"), f"metadata.annotations[{MG_LIST}]"),
    ],
)
def test_b24_a_bad_count_is_refused_on_the_workload_already(whole: Json, field: str) -> None:
    answer: Any = ask("validate", deployment(whole))
    assert list(denied_at(answer)) == [f"spec.template.{field}"]
    assert answer["status"]["details"] | {"causes": []} == {"group": "apps", "kind": "Deployment", "name": "w", "causes": []}
