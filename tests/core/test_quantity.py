"""Quantities: what the Go parser decided (tests/vectors/quantities.json) is what percard reads."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from webhook.core.quantity import MAX_VALUE, UnparsableError, binary_suffix, carries_suffix, parse_quantity, whole_number

_TABLE = json.loads((Path(__file__).parents[1] / "vectors" / "quantities.json").read_text(encoding="utf-8"))
_TEXTS: list[list[str]] = _TABLE["texts"]
# A JSON value that is no string, as a decoder hands it over, beside what Go made of its text.
_LITERALS: list[tuple[Any, list[str]]] = [(json.loads(row[0]), row) for row in _TABLE["literals"]]
_ROWS: list[tuple[Any, list[str]]] = [(row[0], row) for row in _TEXTS] + _LITERALS


def _number(written: Any) -> int | Fraction | None:
    try:
        return parse_quantity(written)
    except UnparsableError:
        return None


def test_the_table_is_large_and_holds_both_sorts() -> None:
    accepted = [row for _, row in _ROWS if len(row) == 3]
    assert len(_ROWS) > 9000
    assert 4000 < len(accepted) < len(_ROWS) - 4000


def test_a_text_is_a_quantity_exactly_where_go_says_so() -> None:
    wrong = [row for written, row in _ROWS if (_number(written) is not None) != (len(row) == 3)]
    assert wrong == []


def test_the_number_is_the_one_that_go_computes_up_to_the_cap() -> None:
    rows = [(written, row) for written, row in _ROWS if len(row) == 3]
    wrong = [row for written, row in rows if _number(written) != max(-MAX_VALUE, min(MAX_VALUE, Fraction(row[1])))]
    assert wrong == []


def test_a_whole_number_comes_as_an_int() -> None:
    numbers = [number for written, _ in _ROWS if (number := _number(written)) is not None]
    assert [number for number in numbers if (number.denominator == 1) != isinstance(number, int)] == []


@pytest.mark.parametrize(
    ("written", "suffix"),
    [
        ("16Gi", True),
        ("10G", True),
        ("4k", True),
        (" 4Ki ", True),
        ("1e9", True),
        ("2e1", True),
        ("500m", False),
        ("2000000000m", False),
        ("160e0", False),
        ("2000000000", False),
        ("8.0", False),
    ],
)
def test_a_suffix_is_what_stands_behind_the_number_as_written(written: str, *, suffix: bool) -> None:
    assert carries_suffix(written) is suffix


def test_a_number_of_yaml_or_json_carries_no_suffix() -> None:
    assert not carries_suffix(1e21)


def test_what_the_api_server_stores_reads_as_the_number_that_was_written() -> None:
    rows = [(written, row) for written, row in _ROWS if len(row) == 3 and abs(Fraction(row[1])) < 10**21]
    wrong = [row for written, row in rows if parse_quantity(row[2]) != parse_quantity(written)]
    assert wrong == []


@pytest.mark.parametrize(
    ("written", "number"),
    [
        pytest.param("4Ki", 4096, id="binary suffix"),
        pytest.param("3000m", 3, id="milli units that make a whole number"),
        pytest.param("1e3", 1000, id="exponent"),
        pytest.param("1E", 10**18, id="E alone is exa"),
        pytest.param(".5", Fraction(1, 2), id="no digit before the dot"),
        pytest.param("1.1Ki", Fraction(11264, 10), id="binary fraction"),
        pytest.param("0.1n", Fraction(1, 10**9), id="less than a nano unit is rounded up"),
        pytest.param("-0.1n", Fraction(-1, 10**9), id="away from zero below zero too"),
        pytest.param(None, 0, id="null"),
        pytest.param(64.0, 64, id="a whole float of a YAML file"),
        pytest.param(1e22, MAX_VALUE, id="a float beyond the cap"),
        pytest.param(10**5000, MAX_VALUE, id="an integer that no text may hold"),
        pytest.param("9" * 1000, MAX_VALUE, id="a thousand digits"),
    ],
)
def test_a_quantity_is_read_exactly(written: Any, number: Any) -> None:
    assert parse_quantity(written) == number


@pytest.mark.parametrize(
    "written",
    [
        pytest.param("", id="nothing"),
        pytest.param("1_000", id="underscore"),
        pytest.param("٣", id="Arabic digit"),
        pytest.param("\uff11\uff12", id="full-width digits"),
        pytest.param("1e3.5", id="fraction in the exponent"),
        pytest.param("1ee3", id="two exponents"),
        pytest.param("8GiB", id="bytes spelled out"),
        pytest.param("\t64", id="a tab, which JSON escapes"),
        pytest.param(True, id="boolean"),
        pytest.param([64], id="list"),
        pytest.param({"64": 64}, id="mapping"),
        pytest.param(float("nan"), id="not a number"),
        pytest.param(float("inf"), id="infinity"),
        pytest.param("9" * 1001, id="more than a thousand characters"),
        pytest.param("1e" + "9" * 900, id="an exponent beyond int64"),
    ],
)
def test_anything_else_is_refused(written: Any) -> None:
    with pytest.raises(UnparsableError):
        parse_quantity(written)


@pytest.mark.parametrize(
    ("text", "number"),
    [("1", 1), ("64", 64), ("65", 65), ("66", 65), ("9" * 30, 65), ("1" * 5000, 65)],
    ids=["one", "the most", "one more", "beyond", "thirty digits", "five thousand digits"],
)
def test_a_whole_number_is_read_up_to_one_more_than_the_most(text: str, number: int) -> None:
    assert whole_number(text, 64) == number


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "02",
        "+2",
        "-2",
        "1_0",
        " 2",
        "2 ",
        "2.0",
        "2e0",
        "0x2",
        pytest.param("2\n", id="a line feed"),
        pytest.param("\uff12", id="a full-width digit"),
        pytest.param("²", id="a superscript"),
    ],
)
def test_a_whole_number_has_no_other_spelling(text: str) -> None:
    assert whole_number(text, 64) is None


@pytest.mark.parametrize(
    ("written", "text"),
    [("10G", "10Gi"), ("4k", "4Ki"), (" 2M ", "2Mi"), ("1.5T", "1.5Ti"), ("8Gi", "8Gi"), ("7", "7"), ("1e9", "1e9"), ("5m", "5m")],
)
def test_a_decimal_suffix_is_read_as_the_binary_one(written: str, text: str) -> None:
    assert binary_suffix(written) == text
