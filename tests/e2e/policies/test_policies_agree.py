"""The policies say of every object what the engine says of it, check by check, and no expression fails."""

import pytest

from tests.e2e.policies import cases
from tests.e2e.policies.agreement import differences
from tests.e2e.policies.cases import Case
from tests.e2e.policies.floor import Floor

_PODS, _WORKLOADS, _PARTS = 1300, 900, 20
_DRAWN = list(cases.drawn(_PODS, _WORKLOADS))
_TAKEN_AT_LEAST = 0.8


@pytest.mark.parametrize("case", list(cases.goldens()), ids=lambda case: case.name)
def test_the_policies_judge_a_golden_manifest_as_the_engine_does(case: Case, floor: Floor) -> None:
    assert list(differences(floor, case)) == []
    assert floor.failures() == []


@pytest.mark.parametrize("part", range(_PARTS))
def test_the_policies_judge_drawn_objects_as_the_engine_does(part: int, floor: Floor) -> None:
    found = [difference for case in _DRAWN[part::_PARTS] for difference in differences(floor, case)]
    assert not found, "\n".join(found[:5])
    assert floor.failures() == []


def test_most_drawn_objects_reach_the_policies_and_both_verdicts_occur(floor: Floor) -> None:
    replies = [floor.client.create(case.obj, "bare") for case in _DRAWN[:100]]
    taken = [reply.body for reply in replies if reply.ok]
    wrong = [obj for obj in taken if floor.engine.examine(obj).errors]
    assert len(taken) >= _TAKEN_AT_LEAST * len(replies)
    assert len(taken) / 5 < len(wrong) < len(taken) * 4 / 5


def test_the_type_checker_has_nothing_against_any_policy(floor: Floor) -> None:
    assert len(floor.validating()) == 4
    assert floor.type_warnings() == []
