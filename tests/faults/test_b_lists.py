"""Faults of others with Volcengine's positional list (letter B)."""

import pytest

from tests.support.door import ask, denied_at, operations
from tests.support.pods import MG_LIST, container, mg, volcengine


@pytest.mark.parametrize(
    ("names", "repaired"),
    [(["a", "b", "istio-proxy"], "1,2,0"), (["istio-proxy", "a", "b"], "0,1,2"), (["a", "istio-proxy", "b"], "1,0,2")],
)
def test_b14_an_injected_container_never_shifts_cards_on_to_the_wrong_one(names: list[str], repaired: str) -> None:
    whole = volcengine(count="1,2")
    whole["spec"]["containers"] = [container(name, mg(30, 4096) if name in "ab" else None) for name in names]
    patch = {operation["path"].rpartition("/")[2]: operation["value"] for operation in operations(ask("mutate", whole))}
    assert patch[MG_LIST.replace("/", "~1")] == repaired
    assert '"a":{"cards":1,' in str(patch)
    assert '"b":{"cards":2,' in str(patch)


def test_b14_an_injected_container_that_asks_too_is_refused_because_nobody_can_know() -> None:
    whole = volcengine(*[mg(30, 4096)] * 3, count="1,2")
    assert operations(ask("mutate", whole)) == []
    ((field, message),) = denied_at(ask("validate", whole)).items()
    assert field == f"metadata.annotations[{MG_LIST}]"
    assert "2 entries for 3 containers ('c0', 'c1', 'c2')" in message


@pytest.mark.parametrize("count", ["1", "1,2,3", "1,", ",2", "", "a,b", "1;2"])
def test_b15_a_list_that_does_not_correspond_is_refused_with_the_containers(count: str) -> None:
    whole = volcengine(mg(30, 4096), mg(30, 4096), count=count)
    causes = denied_at(ask("validate", whole))
    assert list(causes) == [f"metadata.annotations[{MG_LIST}]"]
    assert operations(ask("mutate", whole)) == []


def test_b15_a_zero_for_a_container_without_a_share_is_a_good_list() -> None:
    assert ask("validate", volcengine(None, mg(30, 4096), count="0,2"))["allowed"] is True
