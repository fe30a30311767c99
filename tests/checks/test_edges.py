"""Where one rule ends and another begins: the last value that is allowed, and which rule speaks of the first that is not."""

import pytest

from tests.support.pods import CG_PLACEMENT, ENGINE, Json, alibaba, cg, errors, huawei, mg, pod, volcengine, xg
from tests.translation.pods import Object, engine
from tests.translation.test_vectors import hami, vgpu


@pytest.mark.parametrize(
    ("whole", "checks"),
    [
        (huawei(xg(64), count="64"), set()),
        (huawei(xg(64), count="65"), {"card-count"}),
        (volcengine(mg(6400)), set()),
        (volcengine(mg(6500)), {"card-count"}),
        (huawei(xg(64, "1k")), {"quantity"}),
        (huawei(xg(64, 1000)), {"core-range"}),
        (alibaba(cg(8, 1), count="2"), {"compute-unsupported"}),
        (alibaba(cg(8, 5)), set()),
        (alibaba(cg(8, 100)), set()),
    ],
    ids=["64 cards", "65 cards", "64 whole cards", "65 whole cards", "a suffix", "too much", "two cards", "the least", "the most"],
)
def test_a_rule_speaks_of_what_is_beyond_its_edge_and_no_other_does(whole: Json, checks: set[str]) -> None:
    assert errors(whole) == checks


@pytest.mark.parametrize(("cards", "checks"), [(64, []), (65, ["card-count"])])
def test_the_most_cards_of_a_resource_are_allowed(cards: int, checks: list[str]) -> None:
    assert [finding.check for finding in engine().examine(vgpu(number=cards)).errors] == checks


def test_an_underscore_in_a_count_is_left_out_of_what_was_meant() -> None:
    (finding,) = ENGINE.examine(huawei(count="1_6")).errors
    assert finding.hint == 'write "16"'


def test_whole_cards_are_told_once_for_each_container() -> None:
    whole = pod(xg(64), {"nvidia.com/gpu": 1}, {"nvidia.com/gpu": 2})
    whole["spec"]["containers"][1]["resources"]["requests"] = {"nvidia.com/gpu": 1}
    found = [finding.container for finding in ENGINE.examine(whole).errors if finding.check == "excluded-resource"]
    assert found == ["c1", "c2"]


@pytest.mark.parametrize(
    ("whole", "check", "reason"),
    [
        (pod(xg(64), annotations={"volcano.sh/gpu-index": "0"}), "reserved-key", "FieldValueForbidden"),
        (pod(cg(8), labels={CG_PLACEMENT: "spread"}), "same-resources", "FieldValueNotSupported"),
        (huawei(xg(65), count="2"), "memory-step", "FieldValueInvalid"),
        (volcengine(mg(None, 4096)), "core-missing", "FieldValueRequired"),
    ],
)
def test_the_reason_is_the_one_that_kubernetes_has_for_it(whole: Json, check: str, reason: str) -> None:
    assert [finding.reason for finding in ENGINE.examine(whole).errors if finding.check == check] == [reason]


@pytest.mark.parametrize(
    ("old", "new", "check", "severity"),
    [
        (hami(gpu=65, gpumem=1000), hami(gpu=65, gpumem=1000), "card-count", "warning"),
        (hami(gpu=65, gpumem=1000), hami(gpu=65, gpumem=2000), "card-count", "error"),
        (hami(gpu=1, gpumem_percentage=101), hami(gpu=1, gpumem_percentage=101), "memory-percent", "warning"),
        (hami(gpu=1, gpumem_percentage=101), hami(gpu=2, gpumem_percentage=101), "memory-percent", "error"),
        (vgpu(cores=50), vgpu(cores=60), "resource-set", "warning"),
    ],
    ids=["all stays", "the memory changes", "the percentage stays", "the cards change", "the keys stay"],
)
def test_an_update_is_measured_by_the_figures_of_the_rule(old: Object, new: Object, check: str, severity: str) -> None:
    found = [finding.severity for finding in engine().examine(new, old).findings if finding.check == check]
    assert found == [severity]


def test_a_container_that_asks_for_too_much_is_told_and_the_sum_is_not() -> None:
    for whole, told in ((alibaba(cg(8, 105), cg(8, 5)), ["c0"]), (alibaba(cg(8, 5), cg(8, 105), cg(8, 110)), ["c1", "c2"])):
        assert [finding.container for finding in ENGINE.examine(whole).errors if finding.check == "core-range"] == told
