"""The modes of Huawei's xGPU and what its pages forbid."""

from typing import Any

import pytest

from tests.support.pods import ENGINE, XG_COUNT, XG_MEMORY, container, errors, huawei, pod, xg

TABLE: dict[str, tuple[str | None, list[Any], set[str]]] = {
    "memory isolation on one card": (None, [xg(64)], set()),
    "one block of memory": (None, [xg(1)], set()),
    "compute and memory isolation on one card": (None, [xg(64, 30)], set()),
    "compute alone": (None, [xg(None, 25)], {"memory-missing"}),
    "compute alone over two cards": ("2", [xg(None, 30)], {"memory-missing"}),
    "5 % of one card": (None, [xg(64, 5)], set()),
    "5 % over one card by its label": ("1", [xg(64, 5)], set()),
    "5 % over two cards, as the console's hint has it": ("2", [xg(64, 5)], {"core-step"}),
    "3 % of one card": (None, [xg(64, 3)], {"core-step"}),
    "a whole card, memory and all": (None, [xg(64, 100)], set()),
    "105 % of one card": (None, [xg(64, 105)], {"core-range"}),
    "64 blocks over two cards": ("2", [xg(64)], set()),
    "64 blocks over three cards": ("3", [xg(64)], {"memory-step"}),
    "one block over two cards": ("2", [xg(1)], {"memory-range", "memory-step"}),
    "30 % over two cards": ("2", [xg(64, 30)], set()),
    "200 % over two cards takes both whole": ("2", [xg(64, 200)], set()),
    "205 % over two cards": ("2", [xg(64, 205)], {"core-range", "core-step"}),
    "210 % over two cards": ("2", [xg(64, 210)], {"core-range"}),
    "more than 100 % in all, less on each card": ("4", [xg(64, 160)], set()),
    "the label counts for every container": ("2", [xg(64), xg(63)], {"memory-step"}),
    "a container that asks for nothing takes no part": ("2", [xg(64), None], set()),
    "two containers in different modes": ("2", [xg(64), xg(64, 30)], set()),
    "one TiB on a card": (None, [xg(8192)], set()),
    "one block more than one TiB on a card": (None, [xg(8193)], {"memory-range"}),
    "a label of 0": ("0", [xg(64)], {"card-count"}),
    "64 cards": ("64", [xg(64)], set()),
    "65 cards": ("65", [xg(65)], {"card-count"}),
    "whole cards of NVIDIA's key beside a share": ("2", [xg(64) | {"nvidia.com/gpu": 1}], {"excluded-resource"}),
    "whole cards of NVIDIA's key in another container": ("2", [xg(64), {"nvidia.com/gpu": 1}], {"excluded-resource"}),
    "a part of a card of NVIDIA's key beside a share": ("2", [xg(64) | {"nvidia.com/gpu": "500m"}], {"excluded-resource"}),
    "no card of NVIDIA's key beside a share": ("2", [xg(64) | {"nvidia.com/gpu": 0}], set()),
}


@pytest.mark.parametrize("name", TABLE)
def test_percard_holds_to_huaweis_pages(name: str) -> None:
    count, limits, expected = TABLE[name]
    assert errors(huawei(*limits, count=count)) == expected


@pytest.mark.parametrize("restart", [None, "Always"])
def test_an_init_container_or_native_sidecar_gets_no_virtual_gpu(restart: str | None) -> None:
    first = container("first", xg(64)) | ({"restartPolicy": restart} if restart else {})
    (finding,) = ENGINE.examine(huawei(xg(64), initContainers=[first])).findings
    assert (finding.check, str(finding.path)) == ("init-container", f"spec.initContainers[0].resources.limits[{XG_MEMORY}]")
    assert ("native sidecar" in finding.message) is (restart is not None)


def test_a_share_in_an_init_container_alone_is_refused_and_not_patched() -> None:
    verdict = ENGINE.examine(pod(None, labels={XG_COUNT: "2"}, initContainers=[container("first", xg(64))]))
    assert [(finding.check, finding.container) for finding in verdict.errors] == [("init-container", "first")]
    assert verdict.patch == ()


@pytest.mark.parametrize("key", ["volcano.sh/vgpu-memory", "volcano.sh/vgpu-number", "volcano.sh/gpu-memory", "volcano.sh/gpu-number"])
def test_keys_of_other_stacks_with_the_same_prefix_are_not_huaweis(key: str) -> None:
    verdict = ENGINE.examine(pod({key: "2Gi"}))
    assert (verdict.findings, verdict.patch, verdict.pods) == ((), (), ())
