"""The modes of Alibaba's gpushare, what its page forbids, and what its scheduler leaves to fail later."""

from typing import Any

import pytest

from tests.support.pods import CG_COUNT, CG_PLACEMENT, ENGINE, alibaba, cg, errors, pod

TABLE: dict[str, tuple[str | None, list[Any], set[str]]] = {
    "memory on one card": (None, [cg(8)], set()),
    "one GiB": (None, [cg(1)], set()),
    "memory and compute on one card": (None, [cg(8, 30)], set()),
    "memory and compute on one card by its label": ("1", [cg(8, 30)], set()),
    "memory and TFLOPS on one card": (None, [cg(8, None, 5)], set()),
    "all of a card's compute keeps its memory cap": (None, [cg(8, 100)], set()),
    "compute without memory": (None, [cg(None, 30)], {"memory-missing"}),
    "TFLOPS without memory": (None, [cg(None, None, 5)], {"memory-missing"}),
    "all three": (None, [cg(8, 30, 5)], {"same-resources"}),
    "containers that ask for different keys": (None, [cg(8), cg(8, 30)], {"same-resources"}),
    "containers that ask for the same keys, and one for none": (None, [cg(4, 30), None, cg(4, 30)], set()),
    "8 GiB over two cards": ("2", [cg(8)], set()),
    "160 GiB over four cards": ("4", [cg(160)], set()),
    "7 GiB over two cards": ("2", [cg(7)], {"memory-step"}),
    "8 GiB over three cards": ("3", [cg(8)], {"memory-step"}),
    "1 GiB over two cards": ("2", [cg(1)], {"memory-range", "memory-step"}),
    "a second container that does not divide": ("2", [cg(8), cg(7)], {"memory-step"}),
    "a negative count": ("-1", [cg(8)], {"card-count"}),
    "a count in words": ("two", [cg(8)], {"card-count"}),
    "memory of less than 100 % in all on one card": (None, [cg(4, 50), cg(4, 50)], set()),
    "memory of more than 100 % in all on one card": (None, [cg(4, 50), cg(4, 55)], {"core-range"}),
    "1024 GiB in all on one card": (None, [cg(512), cg(512)], set()),
    "1025 GiB in all on one card": (None, [cg(512), cg(513)], {"memory-range"}),
    "bytes beside another container are one mistake, not a sum that is too large too": (None, [cg("16Gi"), cg(8)], {"quantity"}),
    "1025 GiB in all on two cards": ("2", [cg(512), cg(514)], set()),
    "whole cards of NVIDIA's key beside a share": (None, [cg(8) | {"nvidia.com/gpu": 1}], {"excluded-resource"}),
    "whole cards of Alibaba's own key beside a share": (None, [cg(8), {"aliyun.com/gpu": 1}], {"excluded-resource"}),
}

# The vendor's scheduler places all of these, or fails only once the pod exists.
STRICTER: dict[str, tuple[str | None, list[Any], set[str]]] = {
    # its page has memory only over several cards; the code divides compute too
    "compute over two cards": ("2", [cg(8, 30)], {"compute-unsupported"}),
    "TFLOPS over two cards": ("2", [cg(8, None, 6)], {"compute-unsupported"}),
    # no check of the step in the scheduler, the page says the task fails
    "33 % of one card": (None, [cg(8, 33)], {"core-step"}),
    # passes every check and then never fits
    "150 % of one card": (None, [cg(8, 150)], {"core-range"}),
    # taken for "no label"
    "a count of 0": ("0", [cg(8)], {"card-count"}),
    # taken for "asks for nothing"
    "memory of 0": (None, [cg(0)], {"quantity"}),
}


@pytest.mark.parametrize("name", TABLE)
def test_percard_says_at_once_what_alibabas_scheduler_says_later(name: str) -> None:
    count, limits, expected = TABLE[name]
    assert errors(alibaba(*limits, count=count)) == expected


@pytest.mark.parametrize("name", STRICTER)
def test_percard_refuses_what_alibabas_scheduler_does_not(name: str) -> None:
    count, limits, expected = STRICTER[name]
    assert errors(alibaba(*limits, count=count)) == expected


@pytest.mark.parametrize(("value", "refused"), [("require-whole-device", False), ("binpack", True), ("", True)])
def test_a_placement_has_one_legal_value(value: str, *, refused: bool) -> None:
    found = errors(pod(cg(8), labels={CG_PLACEMENT: value}))
    assert found == ({"same-resources"} if refused else set())


def test_the_label_is_not_read_where_no_container_asks() -> None:
    assert errors(pod(None, labels={CG_COUNT: "two"})) == set()


def test_the_number_of_cards_in_a_containers_limits_is_not_the_switch() -> None:
    verdict = ENGINE.examine(pod(cg(8) | {CG_COUNT: 2}))
    assert [(finding.check, finding.severity) for finding in verdict.findings] == [("misplaced-key", "warning")]
    (gpu,) = verdict.pods
    assert [share.cards for share in gpu.shares] == [1]


def test_memory_is_a_lower_bound_because_the_gib_is_scaled() -> None:
    verdict = ENGINE.examine(alibaba(cg(8), count="2"))
    (operation,) = verdict.patch
    assert '{"cards":2,"memoryAtLeast":true,"memoryMiB":4096}' in str(operation.value)
