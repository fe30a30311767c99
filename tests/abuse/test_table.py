"""Pods that are made to get past percard, to fool whoever reads them, or to take what is not theirs: one row each.

It goes as a new pod does: to /mutate, whose patch is applied, through the hands of another webhook where the row has one, to /validate.
"""

import copy
import json
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

import jsonpatch
import pytest

from tests.support.door import ask, operations
from tests.support.pods import (
    CG_CORE,
    CG_COUNT,
    CG_MEMORY,
    LIMITS,
    MG_LIST,
    MG_MEMORY,
    MG_POLICY,
    XG_COUNT,
    XG_MEMORY,
    Json,
    alibaba,
    cg,
    container,
    huawei,
    mg,
    pod,
    volcengine,
    xg,
)

Hand = Callable[[Json], object]


class Row(NamedTuple):
    """A pod, the checks that deny it (none: it is allowed), those that warn, and what another webhook does after /mutate."""

    whole: Json
    denied: AbstractSet[str] = frozenset()
    warned: AbstractSet[str] = frozenset()
    hand: Hand = id


def _huawei(labels: Json | None = None, annotations: Json | None = None, **spec: Any) -> Json:
    whole = huawei(xg(64, 40), count="2", **spec)
    whole["metadata"]["labels"] |= labels or {}
    whole["metadata"]["annotations"] = annotations or {}
    return whole


def _first(whole: Json, **fields: Any) -> Json:
    whole["spec"]["containers"][0] |= fields
    return whole


def _requests(whole: Json, requests: Json) -> Json:
    whole["spec"]["containers"][0]["resources"]["requests"] = requests
    return whole


def _set(*path: str, to: Any) -> Hand:
    def hand(whole: Json) -> None:
        parent = whole
        for part in path[:-1]:
            parent = parent[part]
        parent[path[-1]] = to

    return hand


def _inject(index: int, limits: Json | None = None) -> Hand:
    return lambda whole: whole["spec"]["containers"].insert(index, container("proxy", limits))


def _env(name: str) -> list[Json]:
    return [{"name": name, "value": "0"}]


WRONG_LIMITS = '{"containers":{"c0":{"cards":1,"memoryMiB":99999}},"dialect":"huawei"}'
SWAPPED = '{"containers":{"c0":{"cards":2},"c1":{"cards":1}},"dialect":"volcengine"}'
FORGED = {
    "our limits, with more memory": Row(_huawei(annotations={LIMITS: WRONG_LIMITS})),
    "our limits, no JSON": Row(_huawei(annotations={LIMITS: "{"})),
    "our limits, nested without end": Row(_huawei(annotations={LIMITS: "[" * 100_000})),
    "our limits, as a number": Row(_huawei(annotations={LIMITS: 5})),
    "our limits, as a label": Row(_huawei(labels={LIMITS: "x"})),
    "our limits, on a pod that does not divide": Row(
        pod(xg(63), labels={XG_COUNT: "2"}, annotations={LIMITS: WRONG_LIMITS}, schedulerName="volcano"),
        {"memory-step", "limits-annotation"},
    ),
    "our limits, exchanged after /mutate": Row(
        _huawei(), {"limits-annotation"}, hand=_set("metadata", "annotations", LIMITS, to=WRONG_LIMITS)
    ),
    "our limits, for a list that fits": Row(
        pod(mg(30, 4096), mg(60, 8192), annotations={MG_LIST: "1,2", MG_POLICY: "native-burst-share", LIMITS: SWAPPED})
    ),
    "what Volcengine's scheduler writes": Row(
        pod(mg(30, 4096), annotations={"vke.volcengine.com/assumed": "true", "vke.volcengine.com/gpu-index-container-c0": "0"}),
        {"reserved-key"},
    ),
    "what Volcano's scheduler writes": Row(_huawei(annotations={"volcano.sh/gpu-index": "0"}), {"reserved-key"}),
    "the same as a label": Row(_huawei(labels={"volcano.sh/gpu-index": "0"}), {"reserved-key"}),
    "what Alibaba's scheduler writes": Row(pod(cg(8), annotations={"scheduler.framework.gpushare.allocation": "{}"}), {"reserved-key"}),
    "what Alibaba's plugin writes, as a variable": Row(_first(alibaba(), env=_env("ALIYUN_COM_GPU_MEM_IDX")), {"reserved-key"}),
    "what Koordinator's scheduler trusts": Row(
        pod(cg(8), annotations={"scheduling.koordinator.sh/device-allocated": "{}"}), {"reserved-key"}
    ),
}
KEYS = {
    "a count in capitals": Row(pod(xg(64), labels={"volcano.sh/GPU-num": "2"}), warned={"unknown-key"}),
    "a count with a Cyrillic letter": Row(pod(xg(64), labels={"v\u043elcano.sh/gpu-num": "2"}), warned={"unknown-key"}),
    "a list with an s too many": Row(pod(mg(30, 4096), annotations={f"{MG_LIST}s": "2"}), warned={"unknown-key"}),
    "a resource in capitals": Row(pod(xg(64) | {"volcano.sh/GPU-core.percentage": 30}), warned={"unknown-key"}),
    "a resource with a blank without width": Row(pod(cg(8) | {f"{CG_CORE}\u200b": 30}), warned={"unknown-key"}),
    "a count of full width": Row(_huawei(labels={XG_COUNT: "\uff12"}), {"card-count"}),
    "a count as label and annotation": Row(_huawei(annotations={XG_COUNT: "2"})),
    "another count as annotation": Row(_huawei(annotations={XG_COUNT: "4"}), warned={"misplaced-key"}),
    "another count among the resources": Row(pod(xg(64) | {XG_COUNT: 4}, labels={XG_COUNT: "2"}), warned={"misplaced-key"}),
    "a policy as a label": Row(
        pod(mg(30, 4096), labels={MG_POLICY: "native-burst-share"}, annotations={MG_LIST: "2"}), {"compute-policy"}, {"misplaced-key"}
    ),
}
COUNTS = {
    "a count of 20 digits": Row(huawei(count="9" * 20), {"card-count"}),
    "a count of 250,000 digits": Row(alibaba(count="1" * 250_000), {"card-count"}),
    "a list of 100,000 entries": Row(volcengine(mg(30, 4096), count=",".join("1" * 100_000)), {"card-list"}),
    "memory of 400 digits": Row(huawei(xg("9" * 400)), {"memory-range"}),
    "memory beyond 64 bits that is 64 blocks within them": Row(huawei(xg(str(2**64 + 64))), {"memory-range"}),
    "compute beyond 32 bits that is 30 within them": Row(volcengine(mg(str(2**32 + 30), 4096)), {"core-range"}),
}
UNDONE = {
    "the scheduler's name is put back": Row(_huawei(), {"scheduler-conflict"}, hand=_set("spec", "schedulerName", to="default-scheduler")),
    "the scheduler's name is another stack's": Row(
        alibaba(), {"scheduler-conflict"}, hand=_set("spec", "schedulerName", to="koord-scheduler")
    ),
    "the limits are taken away": Row(_huawei(), hand=_set("metadata", "annotations", to={})),
    "the count is changed": Row(_huawei(), {"limits-annotation"}, hand=_set("metadata", "labels", XG_COUNT, to="4")),
    "the count is taken away": Row(_huawei(), {"limits-annotation"}, hand=_set("metadata", "labels", to={})),
    "the list is changed": Row(volcengine(count="2"), {"limits-annotation"}, hand=_set("metadata", "annotations", MG_LIST, to="1")),
    "a container comes in front": Row(volcengine(count="2"), {"card-list"}, hand=_inject(0)),
    "a container that shares comes behind": Row(_huawei(), {"limits-annotation"}, hand=_inject(1, xg(64))),
    "a node is set": Row(_huawei(), {"scheduler-bypass"}, hand=_set("spec", "nodeName", to="n1")),
}
SMUGGLED = {
    "another vendor's share in the same container": Row(pod(xg(64) | cg(8), schedulerName="volcano"), {"mixed-dialects"}),
    "in a sidecar": Row(pod(xg(64), cg(8), schedulerName="volcano"), {"mixed-dialects"}),
    "in an init container": Row(
        _huawei(schedulerName="volcano", initContainers=[container("i", cg(8))]), {"init-container", "mixed-dialects"}
    ),
    "in the requests alone": Row(_requests(_huawei(schedulerName="volcano"), cg(8)), {"mixed-dialects", "requests-limits"}),
    "whole cards in a sidecar": Row(pod(cg(8), {"nvidia.com/gpu": 1}), {"excluded-resource"}),
    "whole cards in an init container": Row(alibaba(initContainers=[container("i", {"nvidia.com/gpu": 1})]), {"excluded-resource"}),
    "no whole card": Row(pod(cg(8), {"nvidia.com/gpu": 0})),
    "another vendor's count": Row(_huawei(labels={CG_COUNT: "4"}), warned={"misplaced-key"}),
    "another vendor's list": Row(_huawei(annotations={MG_LIST: "4"}), warned={"misplaced-key"}),
    "an unknown key of another vendor": Row(
        pod(xg(64) | {"aliyun.com/gpu-core": 30}, schedulerName="volcano"), {"mixed-dialects"}, {"unknown-key"}
    ),
}
KINDS = {"forged": FORGED, "keys": KEYS, "counts": COUNTS, "undone": UNDONE, "smuggled": SMUGGLED}
ROWS = {f"{kind}: {name}": row for kind, rows in KINDS.items() for name, row in rows.items()}


def _checks(texts: list[str]) -> set[str]:
    return {check for text in texts for check in text.rpartition("[")[2].rstrip("]").split(", ")}


@pytest.mark.parametrize("name", ROWS)
def test_a_pod_fares_as_its_row_says(name: str) -> None:
    row = ROWS[name]
    whole: Json = jsonpatch.JsonPatch(operations(ask("mutate", row.whole))).apply(copy.deepcopy(row.whole))
    row.hand(whole)
    answer = ask("validate", whole)
    causes = answer.get("status", {}).get("details", {}).get("causes", [])
    assert _checks([cause["message"] for cause in causes]) - {""} == row.denied
    assert _checks(answer.get("warnings", [])) - {""} == row.warned
    assert answer["allowed"] is not bool(row.denied)
    assert len(answer.get("status", {}).get("message", "")) < 1000
    if answer["allowed"] and row.hand is id:
        assert json.loads(whole["metadata"]["annotations"][LIMITS])["containers"].keys() == _sharing(whole)


def _sharing(whole: Json) -> set[str]:
    """Return the names of the containers that ask for memory by a vendor's key."""
    memory = {XG_MEMORY, CG_MEMORY, MG_MEMORY}
    return {one["name"] for one in whole["spec"]["containers"] if memory & one.get("resources", {}).get("limits", {}).keys()}
