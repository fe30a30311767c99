"""Hints, worked out by hand: the nearest valid values both ways, and the card counts that would do."""

import pytest

from tests.support.pods import ENGINE, Json, alibaba, cg, huawei, mg, volcengine, xg

HINTS: dict[str, tuple[Json, str, str]] = {
    "64 blocks over 3 cards: 63 and 66 divide, so do 2 and 4 cards": (
        huawei(xg(64), count="3"),
        "memory-step",
        'write "63" (2688 MiB on each card) or "66" (2816 MiB on each card), or ask for 2 or 4 cards',
    ),
    "a prime number of blocks divides on one card only": (
        huawei(xg(67), count="2"),
        "memory-step",
        'write "66" (4224 MiB on each card) or "68" (4352 MiB on each card), or ask for 1 card',
    ),
    "a count for the pod must suit all its containers": (
        huawei(xg(64), xg(90), count="4"),
        "memory-step",
        'write "88" (2816 MiB on each card) or "92" (2944 MiB on each card), or ask for 2 cards',
    ),
    "5 % over two cards can only be more, or on one": (
        huawei(xg(64, 5), count="2"),
        "core-step",
        'write "10" (5 % on each card), or ask for 1 card',
    ),
    "8 GiB over 3 cards": (
        alibaba(cg(8), count="3"),
        "memory-step",
        'write "6" (2048 MiB on each card) or "9" (3072 MiB on each card), or ask for 2 or 4 cards',
    ),
    "under the least memory of a list, which one card alone would not need": (
        volcengine(mg(30, 2046), count="2"),
        "memory-range",
        'write "2048" (1024 MiB on each card), or ask for 1 card',
    ),
    "two cards would need a list, and with it 1024 MiB each": (
        volcengine(mg(120, 1024)),
        "core-range",
        'write "99", "100" without memory (1 card whole) or "200" without memory (2 cards whole)',
    ),
    "two cards of a list have enough memory each": (
        volcengine(mg(120, 2048)),
        "core-range",
        'write "99", "100" without memory (1 card whole) or "200" without memory (2 cards whole), or ask for 2 cards',
    ),
    "as many cards as would be whole are no way out where memory is asked for": (
        volcengine(mg(200, 6144), count="3"),
        "core-step",
        'write "198" (66 % on each card) or "201" (67 % on each card), or ask for 4 cards',
    ),
}


@pytest.mark.parametrize("name", HINTS)
def test_a_hint_gives_what_would_pass_both_ways_in_the_vendors_own_unit(name: str) -> None:
    whole, check, hint = HINTS[name]
    found = [finding.hint for finding in ENGINE.examine(whole).errors if finding.check == check]
    assert found == [hint]
