"""Volcengine's list after another webhook added containers: repaired where the assignment is certain, else refused."""

import copy
from typing import Any

import pytest

from tests.support.pods import ENGINE, LIMITS, MG_LIST, Json, container, errors, mg, mutated, volcengine
from webhook.core.share import Stage

ASKS: Json = {"a": mg(30, 4096), "b": mg(40, 8192)}


def _pod(count: str, *names: str, **limits: Json) -> Json:
    whole = volcengine(count=count)
    whole["spec"]["containers"] = [container(name, (ASKS | limits).get(name)) for name in names]
    return whole


def _inject(whole: Json, *names: str) -> Json:
    """Do what another webhook does: give the pod the named containers, in this order; old ones stay as they are."""
    result = copy.deepcopy(whole)
    known = {found["name"]: found for found in result["spec"]["containers"]}
    result["spec"]["containers"] = [known.get(name) or container(name) for name in names]
    return result


# list, the containers it was written for, the containers after the injection, the list that fits them
INJECTED: dict[str, tuple[str, list[str], list[str], str]] = {
    "one at the end": ("1,2", ["a", "b"], ["a", "b", "proxy"], "1,2,0"),
    "one at the front": ("1,2", ["a", "b"], ["proxy", "a", "b"], "0,1,2"),
    "one in the middle": ("1,2", ["a", "b"], ["a", "proxy", "b"], "1,0,2"),
    "several everywhere": ("1,2", ["a", "b"], ["x", "a", "y", "b", "z"], "0,1,0,2,0"),
    "one in front of the only one": ("2", ["a"], ["proxy", "a"], "0,2"),
    "one in front of a helper with an entry of its own": ("0,2", ["helper", "a"], ["proxy", "helper", "a"], "0,0,2"),
    "one behind a helper with an entry of its own": ("2,0", ["a", "helper"], ["a", "helper", "proxy"], "2,0,0"),
}


@pytest.mark.parametrize("name", INJECTED)
def test_a_container_added_before_the_first_pass_gets_a_zero(name: str) -> None:
    count, before, after, repaired = INJECTED[name]
    whole = _inject(_pod(count, *before), *after)
    assert ENGINE.examine(whole, stage=Stage.MUTATE).findings == ()
    _assert_repaired(whole, repaired, count)


@pytest.mark.parametrize("name", INJECTED)
def test_a_container_added_after_the_first_pass_gets_a_zero_on_the_second(name: str) -> None:
    count, before, after, repaired = INJECTED[name]
    first = mutated(_pod(count, *before))
    _assert_repaired(_inject(first, *after), repaired, count)


def test_a_second_injection_is_repaired_too() -> None:
    first = mutated(_inject(_pod("1,2", "a", "b"), "x", "a", "b"))
    second = mutated(_inject(first, "x", "a", "y", "b"))
    assert second["metadata"]["annotations"][MG_LIST] == "0,1,0,2"


def _assert_repaired(whole: Json, repaired: str, count: str) -> None:
    result = mutated(whole)
    expected = copy.deepcopy(whole["metadata"])
    expected["annotations"][MG_LIST] = repaired
    expected["annotations"][LIMITS] = result["metadata"]["annotations"][LIMITS]
    assert (result["metadata"], result["spec"]) == (expected, whole["spec"])
    granted = [entry for entry in repaired.split(",") if entry != "0"]
    assert granted == [entry for entry in count.split(",") if entry != "0"]
    assert ENGINE.examine(result, stage=Stage.MUTATE).patch == ()
    assert ENGINE.examine(result, stage=Stage.VALIDATE).findings == ()


def test_containers_that_changed_places_keep_their_cards_by_name_on_a_later_pass() -> None:
    first = mutated(_pod("1,2", "a", "b"))
    result = mutated(_inject(first, "b", "proxy", "a"))
    assert result["metadata"]["annotations"][MG_LIST] == "2,0,1"
    assert result["metadata"]["annotations"][LIMITS] == first["metadata"]["annotations"][LIMITS]


FORGED: dict[str, Any] = {
    "other counts": '{"containers":{"a":{"cards":4},"b":{"cards":4}},"dialect":"volcengine"}',
    "another container": '{"containers":{"a":{"cards":1},"proxy":{"cards":2}},"dialect":"volcengine"}',
    "one container less": '{"containers":{"a":{"cards":1}},"dialect":"volcengine"}',
    "one container more": '{"containers":{"a":{"cards":1},"b":{"cards":2},"c":{"cards":2}},"dialect":"volcengine"}',
    "counts that are none": '{"containers":{"a":{"cards":true},"b":{"cards":"2"}},"dialect":"volcengine"}',
    "a count that is true": '{"containers":{"a":{"cards":true},"b":{"cards":2}},"dialect":"volcengine"}',
    "a count with a point": '{"containers":{"a":{"cards":1.0},"b":{"cards":2}},"dialect":"volcengine"}',
    "a list": "[1,2]",
    "no JSON": "rubbish",
    "a number": 5,
}


@pytest.mark.parametrize("name", FORGED)
def test_an_annotation_that_does_not_agree_with_the_list_is_not_trusted(name: str) -> None:
    whole = _inject(_pod("1,2", "a", "b"), "proxy", "a", "b")
    whole["metadata"]["annotations"][LIMITS] = FORGED[name]
    result = mutated(whole)
    assert result["metadata"]["annotations"][MG_LIST] == "0,1,2"
    assert '"a":{"cards":1,' in result["metadata"]["annotations"][LIMITS]


# list, containers after the injection, limits of those that ask beside a and b
UNCERTAIN: dict[str, tuple[str, list[str], Json]] = {
    "a third container asks, which one was not in the list": ("1,2", ["a", "b", "c"], {"c": mg(10, 2048)}),
    "one entry for two that ask": ("1", ["a", "b", "proxy"], {}),
    "more entries than there are that ask": ("1,2", ["a", "proxy", "other"], {}),
    "an entry that is no count": ("1,x", ["a", "b", "proxy"], {}),
    "an entry with a blank": ("1, 2", ["a", "b", "proxy"], {}),
    "an empty entry": ("1,,2", ["a", "b", "proxy", "other"], {}),
    "more entries than containers": ("1,2,0,0", ["a", "b", "proxy"], {}),
    "as many entries as containers, for others": ("1,2", ["proxy", "a"], {}),
    "only zeros": ("0,0", ["a", "b", "proxy"], {}),
}


@pytest.mark.parametrize("name", UNCERTAIN)
def test_a_list_that_could_be_read_in_two_ways_is_left_alone_and_refused(name: str) -> None:
    count, names, limits = UNCERTAIN[name]
    whole = _pod(count, *names, **limits)
    assert ENGINE.examine(whole, stage=Stage.MUTATE).patch == ()
    assert "card-list" in errors(whole, stage=Stage.VALIDATE)


@pytest.mark.parametrize("stage", [Stage.MANIFEST, Stage.VALIDATE, Stage.LIVE])
def test_only_the_mutating_webhook_repairs(stage: Stage) -> None:
    whole = _inject(_pod("1,2", "a", "b"), "proxy", "a", "b")
    verdict = ENGINE.examine(whole, stage=stage)
    assert ([finding.check for finding in verdict.errors], verdict.patch) == (["card-list"], ())
    assert verdict.errors[0].hint == 'write "0,1,2"'


def test_a_share_that_does_not_divide_keeps_the_list_as_it_is() -> None:
    whole = _inject(_pod("1,2", "a", "b", b=mg(41, 8192)), "proxy", "a", "b")
    verdict = ENGINE.examine(whole, stage=Stage.MUTATE)
    assert ([finding.check for finding in verdict.errors], verdict.patch) == (["core-step"], ())


def test_a_template_is_never_repaired() -> None:
    whole = _inject(_pod("1,2", "a", "b"), "proxy", "a", "b")
    deployment = {"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"template": whole}}
    assert ENGINE.examine(deployment, stage=Stage.MUTATE).patch == ()
    assert errors(deployment, stage=Stage.VALIDATE) == {"card-list"}
