"""What Volcengine's own validator says of a list, compute and memory, and what percard says; where they differ, why."""

from typing import Any

import pytest

from tests.support.pods import MG_LIST, errors, mg, pod, volcengine

Row = tuple[str | None, list[Any], set[str]]
STEP, RANGE, MISSING = "memory-step", "memory-range", "memory-missing"

# list, limits of each container, percard's errors; the vendor allows where the set is empty, and denies elsewhere
AGREED: dict[str, Row] = {
    "a share of one card at the least memory": (None, [mg(30, 256)], set()),
    "99 % of one card": (None, [mg(99, 256)], set()),
    "one MiB under the least memory of one card": (None, [mg(30, 255)], {RANGE}),
    "a share of one card without memory": (None, [mg(30)], {MISSING}),
    "memory without compute": (None, [mg(None, 4096)], {"core-missing"}),
    "memory with compute of 0": (None, [mg(0, 4096)], {"quantity"}),
    "one whole card": (None, [mg(100)], set()),
    "two whole cards without a list": (None, [mg(200)], set()),
    "a whole card with memory of 0": (None, [mg(100, 0)], {"quantity", "whole-card-memory"}),
    "a whole card with memory": (None, [mg(100, 4096)], {"whole-card-memory"}),
    "120 % of one card": (None, [mg(120, 4096)], {"core-range"}),
    "30 % over two cards": ("2", [mg(30, 4096)], set()),
    "the least memory over two cards": ("2", [mg(30, 2048)], set()),
    "100 % over two cards": ("2", [mg(100, 4096)], set()),
    "120 % over two cards": ("2", [mg(120, 4096)], set()),
    "31 % over two cards": ("2", [mg(31, 4096)], {"core-step"}),
    "4097 MiB over two cards": ("2", [mg(30, 4097)], {STEP}),
    "2047 MiB over two cards, which neither divides nor suffices": ("2", [mg(30, 2047)], {RANGE, STEP}),
    "2046 MiB over two cards": ("2", [mg(30, 2046)], {RANGE}),
    "30 % over two cards without memory": ("2", [mg(30)], {MISSING}),
    "400 % over two cards without memory": ("2", [mg(400)], {"core-range", MISSING}),
    "two whole cards with a list": ("2", [mg(200)], set()),
    "two whole cards with memory of 0": ("2", [mg(200, 0)], {"quantity", "whole-card-memory"}),
    "two whole cards with memory": ("2", [mg(200, 4096)], {"whole-card-memory"}),
    "101 % on each of two cards": ("2", [mg(202, 4096)], {"core-range"}),
    "150 % on each of two cards": ("2", [mg(300, 4096)], {"core-range"}),
    "a list that says one card": ("1", [mg(30, 4096)], set()),
    "a list that says one whole card": ("1", [mg(100)], set()),
    "a list that says one card raises its least memory": ("1", [mg(30, 512)], {RANGE}),
    "nine cards, more than the console takes": ("9", [mg(90, 9216)], set()),
    "0 for a container that asks for nothing": ("2,0", [mg(30, 4096), None], set()),
    "0 for the first container": ("0,2", [None, mg(30, 4096)], set()),
    "one entry for two containers": ("2", [mg(30, 4096), None], {"card-list"}),
    "an entry for a container that asks for nothing": ("2,1", [mg(30, 4096), None], {"card-list"}),
    "0 for a container that asks": ("2,0", [mg(30, 4096), mg(30, 4096)], {"card-list"}),
    "a bad share before whole cards": ("2,2", [mg(31, 1), mg(200)], {"core-step", RANGE, STEP}),
    "a blank in the list": ("2, 0", [mg(30, 4096), None], {"card-count", "card-list"}),
    "an empty list": ("", [mg(30, 4096)], {"card-list"}),
    "a comma at the end": ("2,", [mg(30, 4096)], {"card-list"}),
    "a comma at the end that would suit two containers": ("2,", [mg(30, 4096), None], {"card-list"}),
    "a comma at the beginning": (",2", [None, mg(30, 4096)], {"card-list"}),
    "a count with a point": ("2.0", [mg(30, 4096)], {"card-count"}),
    "a negative count": ("-1", [mg(30, 4096)], {"card-count"}),
}

# The vendor lets all of these through; the reason for percard's refusal stands beside each.
STRICTER: dict[str, Row] = {
    # rounded up to 1 % by the vendor: nobody who writes half a percent means one
    "half a percent": (None, [mg("500m", 4096)], {"quantity"}),
    # taken for 4,294,967,296 MiB, which no node has: the pod would stay Pending
    "memory in bytes": (None, [mg(30, "4Gi")], {"quantity"}),
    # the vendor stops at the first whole card and never sees the container after it
    "a bad share after whole cards": ("2,2", [mg(200), mg(31, 1)], {"core-step", RANGE, STEP}),
    "a negative entry after whole cards": ("2,-1", [mg(200), mg(30, 4096)], {"card-count"}),
    "0 for a container that asks, after whole cards": ("2,0", [mg(200), mg(30, 4096)], {"card-list"}),
    # Go's Atoi reads them, other readers of the same annotation need not
    "a count with a plus": ("+2", [mg(30, 4096)], {"card-count"}),
    "a count with a leading zero": ("02", [mg(30, 4096)], {"card-count"}),
    # taken for "asks for nothing"
    "0 for memory of 0 alone": ("0", [mg(None, 0)], {"card-list", "core-missing", "quantity"}),
    # the vendor has no upper bound at all
    "more memory than any card has": (None, [mg(30, 2_000_000)], {RANGE}),
    "65 cards": ("65", [mg(65, 66560)], {"card-count"}),
    "65 whole cards without a list": (None, [mg(6500)], {"card-count"}),
    "a thousand whole cards in a suffix": (None, [mg("100k")], {"card-count"}),
}


@pytest.mark.parametrize("name", AGREED)
def test_percard_says_what_volcengines_validator_says(name: str) -> None:
    count, limits, expected = AGREED[name]
    assert errors(volcengine(*limits, count=count)) == expected


@pytest.mark.parametrize("name", STRICTER)
def test_percard_refuses_what_volcengines_validator_lets_through(name: str) -> None:
    count, limits, expected = STRICTER[name]
    assert errors(volcengine(*limits, count=count)) == expected


@pytest.mark.parametrize(
    ("count", "policy", "refused"),
    [
        ("2", "native-burst-share", False),
        ("2", "fixed-share", True),
        ("2", "guaranteed-burst-share", True),
        ("2", "Native-Burst-Share", True),
        ("2", None, True),
        ("1", "fixed-share", True),
    ],
)
def test_a_list_goes_with_native_burst_share_only_though_the_vendors_admission_reads_no_policy(
    count: str, policy: str | None, *, refused: bool
) -> None:
    assert errors(volcengine(mg(30, 4096), count=count, policy=policy)) == ({"compute-policy"} if refused else set())


@pytest.mark.parametrize(
    ("policy", "refused"),
    [
        ("fixed-share", False),
        ("guaranteed-burst-share", False),
        ("native-burst-share", False),
        ("burst-share", True),
        ("", True),
    ],
)
def test_without_a_list_any_of_the_three_policies_will_do(policy: str, *, refused: bool) -> None:
    found = errors(pod(mg(30, 4096), annotations={"vke.volcengine.com/mgpu-compute-policy": policy}))
    assert found == ({"compute-policy"} if refused else set())


def test_init_containers_have_no_entry_in_the_list() -> None:
    assert errors(volcengine(mg(30, 4096), count="2", initContainers=[{"name": "first", "image": "i"}])) == set()


def test_a_pod_of_a_volcano_job_is_checked_although_the_vendor_skips_it() -> None:
    bad = volcengine(mg(31, 4096), count="2")
    bad["metadata"]["annotations"]["scheduling.k8s.io/group-name"] = "pg"
    assert errors(bad) == {"core-step"}


def test_a_list_where_no_container_asks_is_not_read() -> None:
    assert errors(pod(None, None, annotations={MG_LIST: "rubbish"})) == set()
