"""percard's verdict is the one of a second, plain implementation, for every count, memory and compute of a grid.

N from 1 to 16; memory from 0 to 200 steps of each card, each a unit less and a unit more; compute from 0 to 100·N %; and each left out.
`make test` tries every memory and every compute against a few of the other, `make differential` each against more of them;
`ARGS=--whole-grid` every one against every one.
"""

import json
from collections.abc import Iterable, Iterator

import pytest

from tests.differential.oracle import VENDORS, Limits, judged
from tests.support.pods import (
    CG_CORE,
    CG_COUNT,
    CG_MEMORY,
    LIMITS,
    MG_CORE,
    MG_LIST,
    MG_MEMORY,
    MG_POLICY,
    XG_CORE,
    XG_COUNT,
    XG_MEMORY,
    Json,
)
from webhook import build_engine
from webhook.core.share import Stage

Asked = tuple[int | None, int | None]
MOST_CARDS, MOST_STEPS = 16, 200
KEYS = {"volcengine": (MG_MEMORY, MG_CORE), "huawei": (XG_MEMORY, XG_CORE), "alibaba": (CG_MEMORY, CG_CORE)}
METADATA: dict[str, tuple[str, dict[str, str]]] = {
    "volcengine": ("annotations", {MG_LIST: "@", MG_POLICY: "native-burst-share"}),
    "huawei": ("labels", {XG_COUNT: "@"}),
    "alibaba": ("labels", {CG_COUNT: "@"}),
}
ENGINE = build_engine()


def _memories(vendor: str, cards: int) -> list[int | None]:
    """Return every total of the grid, in the vendor's unit."""
    step = cards * VENDORS[vendor].memory_step_mib // VENDORS[vendor].unit_mib
    return [None, *sorted({step * steps + off for steps in range(MOST_STEPS + 1) for off in (-1, 0, 1)})]


def _computes(cards: int) -> list[int | None]:
    return [None, *range(100 * cards + 1)]


def _some_memories(vendor: str, cards: int, *, many: bool) -> list[int | None]:
    """Return a total that is right, one that is not, and none; more of each kind where there is time."""
    least = max(1, cards * VENDORS[vendor].least_with_count_mib // VENDORS[vendor].unit_mib)
    return [None, 2 * least, 2 * least + 1, *([0, least - 1, least] if many else [])]


def _some_computes(cards: int, *, many: bool) -> list[int | None]:
    return [None, 15 * cards, 15 * cards + 1, 100 * cards, *([0, cards, 5 * cards - 1, 95 * cards] if many else [])]


def _grid(vendor: str, cards: int, *, many: bool, whole: bool) -> Iterator[Asked]:
    memories, computes = _memories(vendor, cards), _computes(cards)
    if whole:
        yield from ((memory, compute) for memory in memories for compute in computes)
        return
    yield from ((memory, compute) for memory in memories for compute in _some_computes(cards, many=many))
    yield from ((memory, compute) for memory in _some_memories(vendor, cards, many=many) for compute in computes)


def _differences(vendor: str, cards: int | None, grid: Iterable[Asked]) -> tuple[int, list[str]]:
    """Return how many were compared, and where percard says something else than the second implementation."""
    memory_key, core_key = KEYS[vendor]
    place, keys = METADATA[vendor]
    metadata: Json = (
        {"name": "p"} if cards is None else {"name": "p", place: {key: text.replace("@", str(cards)) for key, text in keys.items()}}
    )
    limits: Json = {}
    whole = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": metadata,
        "spec": {"containers": [{"name": "a", "resources": {"limits": limits}}]},
    }
    compared, found = 0, []
    for memory, compute in grid:
        if memory is None and compute is None:
            continue
        limits.clear()
        limits.update({key: str(amount) for key, amount in ((memory_key, memory), (core_key, compute)) if amount is not None})
        said, right = _said(whole), judged(vendor, cards, memory, compute)
        compared += 1
        if said != right:
            found.append(f"{vendor}, {cards} cards, memory {memory}, compute {compute}: {said} instead of {right}")
    return compared, found


def _said(whole: Json) -> tuple[set[str], Limits | None]:
    verdict = ENGINE.examine(whole, stage=Stage.MUTATE)
    texts = [operation.value for operation in verdict.patch if "percard.webhook" in str(operation.path) or LIMITS in str(operation.value)]
    written = texts[0].get("annotations", texts[0]) if texts and isinstance(texts[0], dict) else texts[0] if texts else None
    text = written[LIMITS] if isinstance(written, dict) else written
    return {finding.check for finding in verdict.errors}, json.loads(text)["containers"]["a"] if text else None


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_slice_of_the_grid(vendor: str) -> None:
    for cards in (None, *range(1, MOST_CARDS + 1)):
        grid = list(_grid(vendor, cards or 1, many=False, whole=False))
        # Every ninth one: the whole of it takes `make differential`.
        compared, found = _differences(vendor, cards, grid[(cards or 0) % 9 :: 9])
        assert compared > 100
        assert found == []


@pytest.mark.differential
@pytest.mark.parametrize("cards", [None, *range(1, MOST_CARDS + 1)])
@pytest.mark.parametrize("vendor", VENDORS)
def test_the_grid(vendor: str, cards: int | None, *, request: pytest.FixtureRequest) -> None:
    whole = bool(request.config.getoption("--whole-grid"))
    compared, found = _differences(vendor, cards, _grid(vendor, cards or 1, many=True, whole=whole))
    assert compared > 2000
    assert found == []


def test_a_second_opinion_that_differs_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.differential.test_grid.judged", lambda *_: (set(), None))
    compared, found = _differences("huawei", 3, [(64, 30), (64, None)])
    assert compared == 2
    assert found[0].startswith("huawei, 3 cards, memory 64, compute 30: ({'memory-step'}, None) instead of (set(), None)")
