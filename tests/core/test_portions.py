"""Figures of neutral shares as translations spell them."""

from fractions import Fraction

import pytest

from webhook.core.portions import Portion, bytes_text, decimal, over, unknown_size, up


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (10, "10"),
        (100, "100"),
        (Fraction(1, 2), "0.5"),
        (Fraction(5, 4), "1.25"),
        (Fraction(1, 3), "0.333334"),  # rounded up, so that nobody gets less
        (Fraction(100, 3), "33.333334"),
        (Fraction(1, 10**6), "0.000001"),
        (Fraction(1, 10**9), "0.000001"),
        (Fraction(1, 20), "0.05"),
    ],
    ids=str,
)
def test_a_decimal_number_has_up_to_six_places_rounded_up(number: Fraction | int, text: str) -> None:
    assert decimal(number) == text


@pytest.mark.parametrize(("mib", "text"), [(1024, "1Gi"), (8192, "8Gi"), (8191, "8191Mi"), (1, "1Mi"), (1025, "1025Mi")])
def test_bytes_are_gib_where_they_are_whole(mib: int, text: str) -> None:
    assert bytes_text(mib) == text


@pytest.mark.parametrize(("number", "multiple"), [(1, 128), (127, 128), (128, 128), (129, 256)])
def test_a_number_is_rounded_up_to_a_multiple(number: int, multiple: int) -> None:
    assert up(number, 128) == multiple


@pytest.mark.parametrize(("portion", "percent"), [(Portion((), "a", 1), "100"), (Portion((), "a", 1, None, Fraction(25, 2)), "12.5")])
def test_a_share_of_no_known_size_tells_its_percentage_and_what_to_set(portion: Portion, percent: str) -> None:
    wanted = f"{percent} % of a card's memory; Some Stack needs MiB: set card_memory_mib of the dialect it is written in"
    assert unknown_size(portion, "Some Stack") == wanted


def test_cards_are_counted_in_words() -> None:
    assert [over(Portion((), "a", cards)) for cards in (1, 2)] == [", 1 card", ", 2 cards"]
