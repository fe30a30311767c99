"""UPDATE: when two findings are the same mistake, rule by rule; the figures that a rule was applied to decide."""

import copy
from typing import Any

import pytest

from tests.support.pods import CG_TFLOPS, ENGINE, XG_CORE, XG_MEMORY, Json, alibaba, cg, huawei, mg, volcengine, xg


def _severities(new: Json, old: Json, check: str) -> list[str]:
    return [finding.severity for finding in ENGINE.examine(new, old).findings if finding.check == check]


def _requesting(limits: Json | None, requests: Json) -> Json:
    whole = huawei()
    whole["spec"]["containers"][0]["resources"] = {"requests": requests} | ({} if limits is None else {"limits": limits})
    return whole


@pytest.mark.parametrize(
    ("old", "new", "severity"),
    [
        ((None, xg(64)), (None, xg(64)), "warning"),
        ((None, xg(64)), (None, xg(66)), "error"),
        ((xg(64), xg(8)), (xg(64), xg(8)), "warning"),
        ((xg(64), xg(8)), (xg(64), xg(16)), "error"),
        ((xg(64), xg(8)), (xg(66), xg(8)), "error"),
    ],
    ids=["a lone request stays", "a lone request changes", "both stay", "the request changes", "the limit changes"],
)
def test_a_request_without_its_limit_is_the_same_mistake_while_both_stay(old: Any, new: Any, severity: str) -> None:
    assert _severities(_requesting(*new), _requesting(*old), "requests-limits") == [severity]


def test_each_request_that_differs_is_told() -> None:
    whole = _requesting(xg(64, 30), xg(64, 40))
    (finding,) = [found for found in ENGINE.examine(whole).errors if found.check == "requests-limits"]
    assert finding.path.parts[-1] == XG_CORE
    both = _requesting({XG_MEMORY: "64", XG_CORE: 30}, {XG_MEMORY: 64, XG_CORE: 40})
    assert [found.path.parts[-1] for found in ENGINE.examine(both).errors if found.check == "requests-limits"] == [XG_CORE]


def test_containers_with_different_keys_stay_the_same_mistake_whatever_the_amounts() -> None:
    old = alibaba(cg(4), cg(4, 5))
    for new, severity in ((alibaba(cg(4), cg(4, 6)), "warning"), (alibaba(cg(4), cg(4, tflops=5)), "error")):
        assert _severities(new, old, "same-resources") == [severity]


def test_three_keys_at_once_stay_the_same_mistake_whatever_the_amounts() -> None:
    old = alibaba(cg(4, 5, 6))
    new = copy.deepcopy(old)
    new["spec"]["containers"][0]["resources"]["limits"][CG_TFLOPS] = 7
    assert _severities(new, old, "same-resources") == ["warning"]


def test_an_entry_of_a_list_stays_the_same_mistake_whatever_the_others_are() -> None:
    asks = (mg(30, 4096), mg(30, 4096))
    old = volcengine(*asks, count="x,2")
    for count, severity in (("x,3", "warning"), ("y,2", "error")):
        assert _severities(volcengine(*asks, count=count), old, "card-count") == [severity]


def test_the_same_amount_on_other_cards_is_a_new_mistake() -> None:
    old = huawei(xg(20000), count="1")
    assert _severities(huawei(xg(20000), count="1"), old, "memory-range") == ["warning"]
    assert _severities(huawei(xg(20000), count="2"), old, "memory-range") == ["error"]
