"""With `inject_env` the same figures go into the environment of each container that shares."""

import copy
from typing import Any

import pytest

from tests.support.pods import Json, alibaba, cg, container, engine_with, errors, huawei, mg, mutated, patched, volcengine, workload, xg
from webhook.core.share import Stage

ENGINE = engine_with(inject_env=True)
CARDS, MEMORY, CORE = "GPU_CARDS", "GPU_MEMORY_MIB_PER_CARD", "GPU_CORE_PERCENT_PER_CARD"
TWO_CARDS = [{"name": CARDS, "value": "2"}, {"name": MEMORY, "value": "4096"}]

PRESENT: dict[str, tuple[Any, list[Any]]] = {
    "no environment": (None, TWO_CARDS),
    "an empty environment": ([], TWO_CARDS),
    "variables of others": ([{"name": "A", "value": "1"}], [{"name": "A", "value": "1"}, *TWO_CARDS]),
    "one of ours, out of date": (
        [{"name": MEMORY, "value": "1"}, {"name": "A"}],
        [TWO_CARDS[1], {"name": "A"}, TWO_CARDS[0]],
    ),
    "one of ours, from elsewhere": ([{"name": CARDS, "valueFrom": {"fieldRef": {}}}], TWO_CARDS),
    "one of ours, twice": ([{"name": CARDS, "value": "8"}, {"name": CARDS, "value": "9"}], [TWO_CARDS[0], *TWO_CARDS]),
    "all of ours": (TWO_CARDS, TWO_CARDS),
    "entries that are none": ([None, 5, {}], [None, 5, {}, *TWO_CARDS]),
}


def _pod(env: Any) -> Json:
    whole = huawei(xg(64), count="2")
    whole["spec"]["containers"] = [container("app", xg(64), env=copy.deepcopy(env)), container("helper")]
    return whole


@pytest.mark.parametrize("name", PRESENT)
def test_variables_are_added_or_replaced_and_those_of_others_stay(name: str) -> None:
    before, after = PRESENT[name]
    result = mutated(_pod(before), ENGINE)
    app, helper = result["spec"]["containers"]
    assert (app["env"], helper) == (after, container("helper"))
    assert ENGINE.examine(result, stage=Stage.MUTATE).patch == ()
    assert errors(result, stage=Stage.VALIDATE, engine=ENGINE) == set()


def test_a_container_without_an_environment_gets_one() -> None:
    assert mutated(huawei(xg(64), count="2"), ENGINE)["spec"]["containers"][0]["env"] == TWO_CARDS


@pytest.mark.parametrize("damaged", ["x", {"A": "1"}, 5, True])
def test_an_environment_that_is_no_list_is_left_as_it_is(damaged: Any) -> None:
    assert mutated(_pod(damaged), ENGINE)["spec"]["containers"][0]["env"] == damaged


@pytest.mark.parametrize(
    ("whole", "variables"),
    [
        (volcengine(mg(30, 4096), count="2"), {CARDS: "2", MEMORY: "2048", CORE: "15"}),
        (volcengine(mg(200)), {CARDS: "2", CORE: "100"}),
        (huawei(xg(64, 30)), {CARDS: "1", MEMORY: "8192", CORE: "30"}),
        (alibaba(cg(8), count="2"), {CARDS: "2", MEMORY: "4096"}),
    ],
)
def test_only_the_figures_that_there_are_are_written(whole: Json, variables: Json) -> None:
    env = mutated(whole, ENGINE)["spec"]["containers"][0]["env"]
    assert {entry["name"]: entry["value"] for entry in env} == variables


def test_a_workflow_template_has_its_environment_where_its_container_is() -> None:
    template = {"containerSet": {"containers": [container("main", xg(64)), container("helper")]}}
    whole = workload("argoproj.io/v1alpha1", "Workflow", {"templates": [{"name": "t"}, template]})
    result = patched(whole, ENGINE.examine(whole, patch_templates=True))
    changed = result["spec"]["templates"][1]
    assert [entry["name"] for entry in changed["containerSet"]["containers"][0]["env"]] == [CARDS, MEMORY]
    assert (changed["schedulerName"], list(changed["metadata"])) == ("volcano", ["annotations"])
