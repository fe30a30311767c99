"""Kubernetes quantities and whole numbers: the only two number parsers of percard.

Source: apimachinery's `pkg/api/resource/quantity.go`, whose steps are followed where they show;
`tests/core/test_quantity.py` compares with a table that the Go parser itself wrote.
"""

import re
from fractions import Fraction
from typing import Any

_QUANTITY = re.compile(
    r"(?P<sign>[+-]?)(?P<whole>[0-9]*)(?:\.(?P<part>[0-9]*))?"
    r"(?:(?P<binary>[KMGTPE]i)|(?P<decimal>[numkMGTPE])|[eE](?P<exponent>[+-]?[0-9]+))?",
    re.ASCII,
)
# Powers of two and of ten.
_BINARY = {suffix: 10 * power for power, suffix in enumerate(("Ki", "Mi", "Gi", "Ti", "Pi", "Ei"), 1)}
_DECIMAL = dict(zip("numkMGTPE", (-9, -6, -3, 3, 6, 9, 12, 15, 18), strict=True))
# What Go's strings.TrimSpace removes, without the characters that JSON or Go's encoder escapes
# (tab, line feed, U+2028, …): those reach the parser as `\t`, which is no number.
_GO_SPACE = " \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_WHOLE_NUMBER = re.compile(r"[1-9][0-9]*", re.ASCII)
_SMALLEST_POWER = -9  # Kubernetes keeps nano units and nothing below
_NANO = 10**-_SMALLEST_POWER

# Kubernetes caps binary quantities here; nothing that percard judges comes near.
MAX_VALUE = (1 << 63) - 1
# int() refuses texts of over 4,300 digits; the longest form that Kubernetes stores has about 30.
_MAX_CHARACTERS = 1000
_MAX_EXPONENT = 2000
# An int64 takes this many digits for certain, which is when Go keeps a text as it was written.
_MAX_INT64_DIGITS = 18
_KIBI = 1024


class UnparsableError(ValueError):
    """The value is no Kubernetes quantity."""


def parse_quantity(written: Any) -> int | Fraction:
    """Return the exact number that a quantity stands for, `int` where it is whole.

    Accepts what a JSON or YAML document can hold in the place of a quantity: text, numbers, and
    null, which Kubernetes decodes as 0. Fractions of a nano unit are rounded up, as there. Numbers
    beyond 2**63-1 are capped (Kubernetes caps the binary ones).
    Raises `UnparsableError` for everything else, and for texts of over 1,000 characters.
    """
    if type(written) is str and len(written) <= _MAX_INT64_DIGITS and written.isdecimal() and written.isascii():
        return int(written)
    return max(-MAX_VALUE, min(MAX_VALUE, _uncapped(written)))


def _uncapped(written: Any) -> int | Fraction:
    if written is None:
        return 0
    return written if type(written) is int else _number(_matched(written))


def _matched(written: Any) -> re.Match[str]:
    if type(written) is not str and type(written) is not float:
        raise UnparsableError
    text = str(written).strip(_GO_SPACE)
    match = _QUANTITY.fullmatch(text) if 0 < len(text) <= _MAX_CHARACTERS else None
    if match is None or not -(1 << 63) <= int(match["exponent"] or 0) < 1 << 63:
        raise UnparsableError
    if not match["whole"] and not match["part"] and not _may_lack_digits(match):
        raise UnparsableError
    return match


def _may_lack_digits(match: re.Match[str]) -> bool:
    """Say whether Go reads `+`, `.` or `k` as 0: only where its int64 takes the suffix."""
    return match["binary"] not in {"Pi", "Ei"} and _power(match) >= _SMALLEST_POWER


def _number(match: re.Match[str]) -> int | Fraction:
    part = (match["part"] or "").rstrip("0")
    number = int(match["whole"] + part or "0") * _factor(match, len(part))
    if type(number) is Fraction:
        number = Fraction(-(-number * _NANO // 1), _NANO)
        number = number.numerator if number.denominator == 1 else number
    if match["binary"]:
        number = min(number, MAX_VALUE)
    return -number if match["sign"] == "-" else number


def _factor(match: re.Match[str], places: int) -> int | Fraction:
    if match["binary"]:
        whole, part = 1 << _BINARY[match["binary"]], 10**places
        return Fraction(whole, part) if places else whole
    power = _power(match) - places
    return 10**power if power >= 0 else Fraction(1, 10**-power)


def _power(match: re.Match[str]) -> int:
    """Return the power of ten that a decimal suffix or an exponent stands for."""
    if match["exponent"]:
        return max(-_MAX_EXPONENT, min(_MAX_EXPONENT, int(match["exponent"])))
    return _DECIMAL[match["decimal"]] if match["decimal"] else 0


def carries_suffix(written: Any) -> bool:
    """Say whether a quantity is written with a suffix or an exponent that makes it larger, as in `16Gi`, `4k`, `1e9`."""
    match = _QUANTITY.fullmatch(written.strip(_GO_SPACE)) if isinstance(written, str) else None
    return match is not None and (match["binary"] is not None or _power(match) > 0)


def binary_suffix(written: str) -> str:
    """Return a quantity with its decimal suffix read as the binary one: `10G` as `10Gi`."""
    text = written.strip(_GO_SPACE)
    return f"{text[:-1]}{text[-1].upper()}i" if text[-1:] in "kMGTPE" else text


def whole_number(text: str, most: int) -> int | None:
    """Return the number that `[1-9][0-9]*` spells in ASCII, or None: no sign, blank, zero, `_`.

    Numbers above `most` come back as `most + 1`, whatever their length.
    """
    if _WHOLE_NUMBER.fullmatch(text) is None:
        return None
    return min(int(text), most + 1) if len(text) <= _MAX_CHARACTERS else most + 1
