"""A draft rounds up to what its dialect can say, and tells it of the container."""

import dataclasses
from fractions import Fraction
from typing import Any

import pytest

from tests.translation.pods import dialect
from webhook.core.portions import Grant, Portion
from webhook.core.writing import Draft

WHERE = ("spec", "containers", 0)
MOST = 1_048_576  # the default of memory_max_mib
OVER = f"{MOST + 1} MiB on a card;"


def _portion(cards: int = 1, mib: int | None = None, core: int | None = None, percent: int | None = None) -> Portion:
    return Portion(WHERE, "app", cards, mib, None if percent is None else Fraction(percent), core)


def _draft(name: str, portion: Portion, **settings: Any) -> Draft:
    return Draft(dataclasses.replace(dialect(name), **settings), (portion,))


MEMORY: list[tuple[str, Portion, int | None, int, tuple[str, str, str] | None]] = [
    ("huawei", _portion(1, 4096), None, 4096, None),
    ("huawei", _portion(2, 4100), None, 4224, ("rounded", "8200 MiB becomes 8448 MiB: steps of 128 MiB per card, 2 cards", "app")),
    ("huawei", _portion(1, 100), None, 128, ("rounded", "100 MiB becomes 128 MiB: at least 128 MiB per card, 1 card", "app")),
    ("volcengine", _portion(1, 255), None, 256, ("rounded", "255 MiB becomes 256 MiB: at least 256 MiB per card, 1 card", "app")),
    ("volcengine", _portion(1, 256), None, 256, None),
    ("volcengine", _portion(1, 256), 1024, 1024, ("rounded", "256 MiB becomes 1024 MiB: at least 1024 MiB per card, 1 card", "app")),
    ("volcengine", _portion(1, MOST), None, MOST, None),
    ("huawei", _portion(1, MOST), None, MOST, None),
    (
        "volcengine",
        _portion(1, MOST + 1),
        None,
        MOST + 1,
        ("impossible", f"{OVER} Volcengine VKE mGPU gives at most {MOST} MiB", "app"),
    ),
    ("huawei", _portion(1, MOST + 1), None, MOST + 128, ("impossible", f"{OVER} Huawei CCE xGPU gives at most {MOST} MiB", "app")),
]


@pytest.mark.parametrize(("name", "portion", "least", "each", "remark"), MEMORY)
def test_memory_is_rounded_up_to_steps_and_to_the_least(
    name: str, portion: Portion, least: int | None, each: int, remark: tuple[str, str, str] | None
) -> None:
    draft = _draft(name, portion)
    assert draft.memory(portion, least) == each
    assert draft.remarks == ([] if remark is None else [remark])


def test_memory_of_no_known_size_is_told_of_its_container() -> None:
    portion = _portion(percent=50)
    draft = _draft("huawei", portion)
    assert draft.memory(portion) is None
    text = "50 % of a card's memory; Huawei CCE xGPU needs MiB: set card_memory_mib of the dialect it is written in"
    assert draft.remarks == [("impossible", text, "app")]


@pytest.mark.parametrize(
    ("asked", "step", "least", "each", "remark"),
    [
        (None, 5, 1, None, None),
        (7, 1, 1, 7, None),
        (5, 1, 5, 5, None),
        (3, 1, 5, 5, ("rounded", "3 % becomes 5 %: at least 5 per card, 1 card", "app")),
        (7, 5, 7, 10, ("rounded", "7 % becomes 10 %: steps of 5 per card, 1 card", "app")),
        (96, 5, 1, 100, ("rounded", "96 % becomes 100 %: steps of 5 per card, 1 card", "app")),
        (100, 5, 1, 100, None),
        (98, 7, 1, 98, None),
        (99, 7, 1, 105, ("impossible", "99 % of compute on a card; with steps of 7 the next is 105 %", "app")),
    ],
)
def test_compute_is_rounded_up_to_steps_and_to_the_least(
    asked: int | None, step: int, least: int, each: int | None, remark: tuple[str, str, str] | None
) -> None:
    portion = _portion(mib=4096, core=asked)
    draft = _draft("huawei", portion, core_step_percent=step, core_min_percent=least)
    assert draft.core(portion) == each
    assert draft.remarks == ([] if remark is None else [remark])


@pytest.mark.parametrize(
    ("name", "portion", "amounts", "granted"),
    [
        (
            "hami",
            _portion(2, 4096, 15),
            {"nvidia.com/gpu": 2, "nvidia.com/gpumem": 4096, "nvidia.com/gpucores": 15},
            Grant(4096, None, 15),
        ),
        ("hami", _portion(2, percent=30), {"nvidia.com/gpu": 2, "nvidia.com/gpumem-percentage": 30}, Grant(None, Fraction(30), None)),
        (
            "koordinator",
            _portion(2, 4096, 15),
            {"koordinator.sh/gpu.shared": 2, "koordinator.sh/gpu-memory": "8Gi", "koordinator.sh/gpu-core": 30},
            Grant(4096, None, 15),
        ),
        (
            "koordinator",
            _portion(2, percent=30),
            {"koordinator.sh/gpu.shared": 2, "koordinator.sh/gpu-memory-ratio": 60},
            Grant(None, Fraction(30), None),
        ),
    ],
    ids=["figures of each card", "a percentage of each card", "totals", "a total percentage"],
)
def test_a_part_of_a_card_is_written_under_the_dialects_keys(name: str, portion: Portion, amounts: dict[str, Any], granted: Grant) -> None:
    draft = _draft(name, portion)
    draft.share(portion)
    assert (draft.amounts, draft.granted, draft.remarks) == ({WHERE: amounts}, [(portion, granted)], [])
