"""What is said of rarer mistakes: where, with the arithmetic, and what to write instead, worked out by hand."""

import copy
import dataclasses

import pytest

from tests.support.pods import ENGINE, MG_CORE, MG_LIST, XG_MEMORY, Json, alibaba, cg, container, huawei, pod, volcengine, xg
from webhook.core.engine import Engine

SMALL = Engine([dataclasses.replace(known, memory_max_mib=8192) for known in ENGINE.dialects], ENGINE.checks, ENGINE.rules)
SAME_CARDS = "as all its containers sit on the same cards"


def _limits(index: int, key: str, bag: str = "limits") -> str:
    return f"spec.containers[{index}].resources.{bag}[{key}]"


def _with_requests_only(whole: Json) -> Json:
    changed = copy.deepcopy(whole)
    resources = changed["spec"]["containers"][0]["resources"]
    resources["requests"] = resources.pop("limits")
    return changed


# A pod → the check and where it complains, with the whole text.
SAID: dict[str, tuple[Json, str, str, str]] = {
    "the containers before leave no compute": (
        alibaba(cg(8, 100), cg(8, 5)),
        "core-range",
        _limits(1, "aliyun.com/gpu-core.percentage"),
        (
            f"container 'c1': with this container the pod asks for 105 % on 1 card; must be at most 100 % on each card, {SAME_CARDS}; "
            "ask for less in the containers before it [core-range]"
        ),
    ),
    "the containers before leave some compute": (
        alibaba(cg(8, 70), cg(8, 31)),
        "core-range",
        _limits(1, "aliyun.com/gpu-core.percentage"),
        (
            f"container 'c1': with this container the pod asks for 101 % on 1 card; must be at most 100 % on each card, {SAME_CARDS}; "
            'write "30" or less here [core-range]'
        ),
    ),
    "compute with a suffix": (
        huawei(xg(64, "1k")),
        "quantity",
        _limits(0, "volcano.sh/gpu-core.percentage"),
        "container 'c0': '1k' is 1000 percent, out of range; must count percent, not bytes; write \"100\" [quantity]",
    ),
    "bytes where the count cannot be read": (
        huawei(xg("16Gi"), count="two"),
        "quantity",
        _limits(0, XG_MEMORY),
        (
            "container 'c0': '16Gi' is 17179869184 blocks of 128 MiB, out of range; must count blocks of 128 MiB, not bytes; "
            'write "128" (16384 MiB) [quantity]'
        ),
    ),
    "more entries than one container": (
        volcengine(count="2,0"),
        "card-list",
        f"metadata.annotations[{MG_LIST}]",
        "'2,0' has 2 entries for 1 container ('c0'); must have one entry per container, in their order; write \"2\" [card-list]",
    ),
    "whole cards beside a key that nobody offers": (
        pod({"volcano.sh/gpu-cores": 5, "nvidia.com/gpu": 1}),
        "excluded-resource",
        _limits(0, "nvidia.com/gpu"),
        (
            "container 'c0': nvidia.com/gpu '1' asks for whole cards in a pod that shares cards; a pod must not ask for both; "
            "remove nvidia.com/gpu, or run it in a pod of its own [excluded-resource]"
        ),
    ),
    "whole cards beside a share": (
        pod(xg(64), {"nvidia.com/gpu": 2}),
        "excluded-resource",
        _limits(1, "nvidia.com/gpu"),
        (
            f"container 'c1': nvidia.com/gpu '2' asks for whole cards in a pod that shares cards ({XG_MEMORY} in container 'c0'); "
            "a pod must not ask for both; remove nvidia.com/gpu, or run it in a pod of its own [excluded-resource]"
        ),
    ),
    "an init container that only requests": (
        pod(xg(64), initContainers=[container("warm", resources={"requests": xg(8, 30)})]),
        "init-container",
        f"spec.initContainers[0].resources.requests[{XG_MEMORY}]",
        (
            "container 'warm': is an init container, to which Huawei CCE xGPU allocates no share; "
            f"{XG_MEMORY} and volcano.sh/gpu-core.percentage must not be set; ask for the share in spec.containers [init-container]"
        ),
    ),
    "a native sidecar": (
        pod(xg(64), initContainers=[container("warm", xg(8), restartPolicy="Always")]),
        "init-container",
        f"spec.initContainers[0].resources.limits[{XG_MEMORY}]",
        (
            "container 'warm': is a native sidecar (an init container with restartPolicy Always), "
            f"to which Huawei CCE xGPU allocates no share; {XG_MEMORY} must not be set; "
            "ask for the share in spec.containers [init-container]"
        ),
    ),
}


@pytest.mark.parametrize("name", SAID)
def test_a_mistake_is_told_where_it_stands_with_what_to_write(name: str) -> None:
    whole, check, field, text = SAID[name]
    found = [(str(finding.path), finding.text) for finding in ENGINE.examine(whole).findings if finding.check == check]
    assert found == [(field, text)]


@pytest.mark.parametrize(
    ("whole", "total", "hint"),
    [
        (alibaba(cg(4), cg(5)), "9216 MiB on 1 card", 'write "4" or less here, or ask for more cards'),
        # 16384 MiB less 9216 are 7168, of which 6144 divide into whole GiB over two cards
        (alibaba(cg(9), cg(10), count="2"), "19456 MiB over 2 cards, 9728 MiB each", 'write "6" or less here, or ask for more cards'),
        (alibaba(cg(8), cg(1)), "9216 MiB on 1 card", "ask for less in the containers before it, or for more cards"),
    ],
    ids=["some memory is left", "what is left divides", "none is left"],
)
def test_containers_on_the_same_cards_are_told_what_those_before_leave(whole: Json, total: str, hint: str) -> None:
    (finding,) = [found for found in SMALL.examine(whole).errors if found.check == "memory-range"]
    assert finding.message == (f"with this container the pod asks for {total}; must be at most 8192 MiB (8 GiB) on each card, {SAME_CARDS}")
    assert (finding.hint, finding.container) == (hint, "c1")


def test_bytes_where_a_card_takes_no_step_at_all_are_a_plain_number() -> None:
    tiny = Engine([dataclasses.replace(known, memory_max_mib=100) for known in ENGINE.dialects], ENGINE.checks, ENGINE.rules)
    (hint,) = [found.hint for found in tiny.examine(huawei(xg("16Gi"))).errors if found.check == "quantity"]
    assert hint == "write a plain number"


def test_each_container_with_a_key_that_nobody_offers_is_told_once() -> None:
    whole = pod({"volcano.sh/gpu-cores": 5}, {"volcano.sh/gpu-cores": 5})
    whole["spec"]["containers"][0]["resources"]["requests"] = {"volcano.sh/gpu-cores": 5}
    found = [str(finding.path) for finding in ENGINE.examine(whole).findings if finding.check == "unknown-key"]
    assert found == [_limits(0, "volcano.sh/gpu-cores"), _limits(1, "volcano.sh/gpu-cores")]


def _mixed(whole: Json) -> dict[str, str]:
    return {str(finding.path): finding.message for finding in ENGINE.examine(whole).errors if finding.check == "mixed-dialects"}


def test_each_of_three_dialects_in_a_pod_is_told_beside_one_other() -> None:
    one = "a pod must be written in one dialect"
    beside = f"beside aliyun.com/gpu-mem of Alibaba ACK gpushare in container 'c2'; {one}"
    assert _mixed(pod({MG_CORE: 30}, xg(8), cg(8))) == {
        _limits(0, MG_CORE): f"{MG_CORE} is Volcengine VKE mGPU's, {beside}",
        _limits(1, XG_MEMORY): f"{XG_MEMORY} is Huawei CCE xGPU's, {beside}",
        _limits(
            2, "aliyun.com/gpu-mem"
        ): f"aliyun.com/gpu-mem is Alibaba ACK gpushare's, beside {XG_MEMORY} of Huawei CCE xGPU in container 'c1'; {one}",
    }


def test_two_dialects_are_told_apart_by_requests_and_by_unknown_keys_too() -> None:
    requested = _with_requests_only(pod(xg(8), cg(8)))
    assert set(_mixed(requested)) == {_limits(0, XG_MEMORY, "requests"), _limits(1, "aliyun.com/gpu-mem")}
    unknown = pod({"volcano.sh/gpu-cores": 5}, cg(8))
    assert set(_mixed(unknown)) == {_limits(0, "volcano.sh/gpu-cores"), _limits(1, "aliyun.com/gpu-mem")}


def test_the_first_key_by_name_stands_for_a_dialect() -> None:
    # `mgpu-core` comes before `mgpu-memory`, whichever was written first
    whole = volcengine(None, cg(8))
    whole["spec"]["containers"][0] = container("c0", {"vke.volcengine.com/mgpu-memory": 4096, MG_CORE: 30})
    assert set(_mixed(whole)) == {_limits(0, MG_CORE), _limits(1, "aliyun.com/gpu-mem")}
