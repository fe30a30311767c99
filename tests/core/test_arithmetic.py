"""What is proposed in the place of a wrong number, at the edges of what a card gives."""

import dataclasses
from typing import Any

import pytest

from tests.support.pods import ENGINE, Json, alibaba, cg, huawei, mg, volcengine, xg
from webhook.core.engine import Engine

MEANT = " if MiB were meant, else write "


def _hint(whole: Json, check: str, **settings: Any) -> str:
    engine = Engine([dataclasses.replace(known, **settings) for known in ENGINE.dialects], ENGINE.checks, ENGINE.rules)
    (finding,) = [found for found in engine.examine(whole).errors if found.check == check]
    return finding.hint


@pytest.mark.parametrize(
    ("blocks", "count", "least_mib", "meant"),
    [
        # 8192 blocks are the most of a card: what is more may be MiB
        (16384, "1", 128, '"128" (16384 MiB)'),
        (16384, "1", 16384, '"128" (16384 MiB)'),
        (16384, "1", 16512, None),
        # two cards of 16384 MiB at least need 32768
        (20000, "2", 16384, None),
        # 200 blocks do not divide over three cards
        (25600, "3", 128, '"198" (8448 MiB on each card) or "201" (8576 MiB on each card)'),
        # 20000 MiB are no whole number of blocks
        (20000, "1", 128, '"156" (19968 MiB) or "157" (20096 MiB)'),
        (1048576, "1", 128, '"8192" (1048576 MiB)'),
        (1048577, "1", 128, None),
        (1048576, "2", 128, '"8192" (524288 MiB on each card)'),
        (2097152, "2", 128, '"16384" (1048576 MiB on each card)'),
    ],
)
def test_a_number_too_large_for_the_unit_is_also_read_as_mib_where_a_card_gives_that(
    blocks: int, count: str, least_mib: int, meant: str | None
) -> None:
    hint = _hint(huawei(xg(blocks), count=count), "memory-range", memory_min_mib=least_mib)
    assert hint.startswith(f"write {meant}{MEANT}") is (meant is not None)
    assert (MEANT in hint) is (meant is not None)


@pytest.mark.parametrize(
    ("whole", "hint"),
    [
        (huawei(xg(64, "8GB")), 'write "5" or more, or leave the key out'),
        (huawei(xg("8 GiB"), count="two"), 'write "64" (8192 MiB)'),
        (huawei(xg("1.5"), count="two"), 'write "1" (128 MiB) or "2" (256 MiB)'),
        (huawei(xg(0), count="two"), 'write "1" (128 MiB) or more, or leave the key out'),
        (huawei(xg(0)), 'write "1" (128 MiB) or more, or leave the key out'),
        (huawei(xg(0, 30)), 'write "1" (128 MiB) or more'),
        (alibaba(cg(8, tflops="1.5")), 'write "1" or "2"'),
        (alibaba(cg(8, tflops="0.5")), 'write "1"'),
        (alibaba(cg(8, tflops=-3)), 'write "1" or more, or leave the key out'),
    ],
)
def test_in_the_place_of_what_is_no_amount_the_nearest_one_is_proposed(whole: Json, hint: str) -> None:
    assert _hint(whole, "quantity") == hint


@pytest.mark.parametrize(
    ("whole", "step", "hint"),
    [
        (volcengine(mg(120)), 1, 'write "100" (1 card whole) or "200" (2 cards whole)'),
        (volcengine(mg(150, 4096)), 100, 'write "100" without memory (1 card whole) or "200" without memory (2 cards whole)'),
    ],
    ids=["without memory only whole cards are left", "with a step of a card there is no part of one"],
)
def test_more_compute_than_a_card_has_can_be_whole_cards(whole: Json, step: int, hint: str) -> None:
    assert _hint(whole, "core-range", core_step_percent=step) == hint
