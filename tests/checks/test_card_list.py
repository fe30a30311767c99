"""Volcengine's list of counts: one entry for each container, in their order, with the names in the message."""

import pytest

from tests.support.pods import ENGINE, MG_LIST, Json, container, mg, volcengine

ASKS = mg(30, 4096)


def _pod(count: str, **asks: Json | None) -> Json:
    whole = volcengine(count=count)
    whole["spec"]["containers"] = [container(name, limits) for name, limits in asks.items()]
    return whole


@pytest.mark.parametrize(
    ("count", "entries"),
    [("1", "1 entry"), ("1,2,3", "3 entries"), ("1,2,1", "3 entries"), ("1;2", "1 entry"), ("", "1 entry"), ("1,,2", "3 entries")],
)
def test_the_message_tells_the_entries_expected_and_names_the_containers(count: str, entries: str) -> None:
    verdict = ENGINE.examine(_pod(count, app=ASKS, helper=ASKS))
    (finding,) = [
        finding for finding in verdict.errors if finding.check == "card-list" and "entries for" not in finding.message.split(";")[1]
    ][-1:]
    assert f"has {entries} for 2 containers ('app', 'helper')" in finding.message
    assert finding.path.parts == ("metadata", "annotations", MG_LIST)
    assert finding.value == count


def test_many_containers_are_not_all_named() -> None:
    whole = volcengine(*[ASKS] * 20, count="1")
    (finding,) = ENGINE.examine(whole).errors
    assert "'c7', 12 more)" in finding.message


@pytest.mark.parametrize(("containers", "end"), [(8, "'c7')"), (9, "'c7', 1 more)"), (10, "'c7', 2 more)")])
def test_eight_containers_are_named_and_the_rest_counted(containers: int, end: str) -> None:
    (finding,) = ENGINE.examine(volcengine(*[ASKS] * containers, count="1")).errors
    assert f"{end}; must have" in finding.message
    assert finding.hint == ('write "N,N,N,N,N,N,N,N" with a number of cards for each N' if containers == 8 else "")


@pytest.mark.parametrize(
    ("count", "hint"),
    [
        ("2", 'write "0,2,0"'),  # one entry, one container that asks: it is the second
        ("2,0", 'write "0,2,0"'),
        ("2,0,0", 'write "0,2,0"'),
        ("0,0,0", 'write "0,N,0"'),
        ("2,2,0", 'write "0,N,0"'),
        ("x,0,0", 'write "0,N,0"'),
    ],
)
def test_the_hint_is_the_right_list_where_that_is_certain(count: str, hint: str) -> None:
    verdict = ENGINE.examine(_pod(count, proxy=None, app=ASKS, helper=None))
    assert {finding.hint.startswith(hint) for finding in verdict.errors if finding.check == "card-list"} == {True}


@pytest.mark.parametrize(
    ("count", "containers"),
    [
        ("0,0,0", ["app", "second"]),
        ("0,0,2", ["app", "second", "last"]),
        ("2,0,2", ["second", "last"]),
        ("2,2,1", ["last"]),
        ("2,2,0", []),
    ],
)
def test_every_container_whose_entry_does_not_suit_it_is_named(count: str, containers: list[str]) -> None:
    verdict = ENGINE.examine(_pod(count, app=ASKS, second=ASKS, last=None))
    assert [finding.container for finding in verdict.errors if finding.check == "card-list"] == containers
