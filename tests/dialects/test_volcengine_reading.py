"""How a Volcengine pod becomes cards, memory and compute of each container."""

from typing import Any

import pytest

from tests.support.pods import ENGINE, mg, volcengine

Figures = tuple[int | None, int | None, int | None]

SHARES: dict[str, tuple[str | None, list[Any], list[Figures]]] = {
    "one card without a list": (None, [mg(30, 4096)], [(1, 4096, 30)]),
    "the vendor's example": ("2", [mg(30, 4096)], [(2, 4096, 30)]),
    "whole cards are counted by their compute": (None, [mg(300)], [(3, None, 300)]),
    "compute that is no multiple of 100 is of one card": (None, [mg(120, 4096)], [(1, 4096, 120)]),
    "each container has its own count": ("1,2", [mg(30, 4096), mg(40, 4096)], [(1, 4096, 30), (2, 4096, 40)]),
    "an entry of 0 is nobody's": ("2,0", [mg(30, 4096), None], [(2, 4096, 30)]),
    "a list beats the count that compute would give": ("4", [mg(200, 8192)], [(4, 8192, 200)]),
    "an unreadable entry leaves its cards open": ("x,2", [mg(30, 4096), mg(30, 4096)], [(None, 4096, 30), (2, 4096, 30)]),
    "too short a list still says whose is whose where it is certain": ("2", [None, mg(30, 4096)], [(2, 4096, 30)]),
    "too short a list leaves cards open where it is not": ("2", [mg(30, 4096), mg(30, 4096)], [(None, 4096, 30), (None, 4096, 30)]),
    "an unreadable entry of too short a list leaves all cards open": ("2,x", [mg(30, 4096), None, mg(30, 4096)], [(None, 4096, 30)] * 2),
    "a suffix is a plain number": ("2", [mg(30, "6k")], [(2, 6000, 30)]),
}


@pytest.mark.parametrize("name", SHARES)
def test_cards_memory_and_compute_are_read(name: str) -> None:
    count, limits, expected = SHARES[name]
    (gpu,) = ENGINE.examine(volcengine(*limits, count=count)).pods
    assert [(share.cards, share.memory_mib, share.core_percent) for share in gpu.shares] == expected


@pytest.mark.parametrize(
    ("count", "limits", "whole"),
    [
        (None, mg(100), True),
        (None, mg(99, 256), False),
        ("2", mg(200), True),
        ("2", mg(100, 4096), False),
        (None, mg(120, 4096), False),
    ],
)
def test_a_card_is_whole_where_all_its_compute_is_asked_for(count: str | None, limits: Any, *, whole: bool) -> None:
    (gpu,) = ENGINE.examine(volcengine(limits, count=count)).pods
    assert [share.whole for share in gpu.shares] == [whole]
