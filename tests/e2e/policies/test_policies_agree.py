"""The policies say of every object what the engine says of it, check by check, and no expression fails."""

from collections import Counter

import pytest

from tests.e2e.policies import cases
from tests.e2e.policies.agreement import differences
from tests.e2e.policies.cases import Case
from tests.e2e.policies.floor import Floor
from webhook import Stage

_PODS, _WORKLOADS, _PARTS = 1300, 900, 20
_DRAWN = list(cases.drawn(_PODS, _WORKLOADS))
_COMPARED_AT_LEAST, _PATCHED_AT_LEAST = 2000, 250


@pytest.mark.parametrize("case", list(cases.goldens()), ids=lambda case: case.name)
def test_the_policies_judge_a_golden_manifest_as_the_engine_does(case: Case, floor: Floor) -> None:
    assert list(differences(floor, case)) == []
    assert floor.failures() == []


@pytest.mark.parametrize("part", range(_PARTS))
def test_the_policies_judge_drawn_objects_as_the_engine_does(part: int, floor: Floor) -> None:
    found = [difference for case in _DRAWN[part::_PARTS] for difference in differences(floor, case)]
    assert not found, "\n".join(found[:5])
    assert floor.failures() == []


def test_two_thousand_drawn_objects_reach_the_policies_and_there_are_many_of_each_kind_and_verdict(floor: Floor) -> None:
    """Kubernetes itself refuses the others, so that nothing is compared."""
    taken = [reply.body for case in _DRAWN if (reply := floor.client.create(case.obj, "bare")).ok]
    kinds = Counter(obj["kind"] for obj in taken)
    wrong = Counter(obj["kind"] for obj in taken if floor.engine.examine(obj, stage=Stage.MUTATE).errors)
    patched = [obj for obj in taken if obj["kind"] == "Pod" and floor.engine.examine(obj, stage=Stage.MUTATE).patch]
    print(f"{len(taken)} of {len(_DRAWN)} drawn objects compared: {dict(kinds)}; wrong: {dict(wrong)}; patched pods: {len(patched)}")  # noqa: T201
    assert len(taken) >= _COMPARED_AT_LEAST
    for kind in ("Pod", "Deployment"):
        assert kinds[kind] / 5 < wrong[kind] < kinds[kind] * 4 / 5
    assert len(patched) >= _PATCHED_AT_LEAST


def test_the_type_checker_has_nothing_against_any_policy(floor: Floor) -> None:
    assert len(floor.validating()) == 4
    assert floor.type_warnings() == []
