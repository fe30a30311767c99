"""Figures as messages spell them."""

import pytest

from webhook.core.wording import cards_text, either, mib_text, split_text, step_text


@pytest.mark.parametrize(
    ("total", "cards", "text"),
    [
        (8192, 1, "8192 MiB on 1 card"),
        (8192, 2, "8192 MiB over 2 cards, 4096 MiB each"),
        (8192, 3, "8192 MiB over 3 cards, 2730 2/3 MiB each"),
        (2, 4, "2 MiB over 4 cards, 1/2 MiB each"),
        (10, 4, "10 MiB over 4 cards, 2 1/2 MiB each"),
    ],
)
def test_a_split_is_told_exactly(total: int, cards: int, text: str) -> None:
    assert split_text(total, "MiB", cards) == text


@pytest.mark.parametrize(
    ("mib", "text"),
    [(128, "128 MiB"), (1023, "1023 MiB"), (1024, "1024 MiB (1 GiB)"), (1025, "1025 MiB"), (2048, "2048 MiB (2 GiB)")],
)
def test_whole_gib_are_told_beside_the_mib(mib: int, text: str) -> None:
    assert mib_text(mib) == text


@pytest.mark.parametrize(
    ("step", "unit", "text"),
    [
        (1, "MiB", "a whole number of MiB"),
        (1, "%", "a whole number of percent"),
        (5, "%", "a multiple of 5 %"),
        (128, "MiB", "a multiple of 128 MiB"),
        (1024, "MiB", "a multiple of 1024 MiB (1 GiB)"),
    ],
)
def test_a_step_is_told_in_words(step: int, unit: str, text: str) -> None:
    assert step_text(step, unit) == text


def test_alternatives_are_joined_by_commas_and_or() -> None:
    assert [either(list("abc")[:count]) for count in (1, 2, 3)] == ["a", "a or b", "a, b or c"]
    assert [cards_text(cards) for cards in (1, 2)] == ["1 card", "2 cards"]
