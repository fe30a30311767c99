"""Quantities of every spelling: percard reads the number that decimal arithmetic, written down again, says."""

import random
import re
from collections.abc import Iterator
from decimal import ROUND_UP, Context, Decimal
from fractions import Fraction
from itertools import count

from bench.fuzz.outcome import Effort, Outcome, tried
from webhook.core.quantity import MAX_VALUE, UnparsableError, parse_quantity

_SUFFIXES = ("", "", "", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e3", "E3", "e-3", "E+2", "e")
_ODD = ("_", " ", "x", "K", "i", "b", "\u0661", "\uff12", ".", "+", "-", "e", "0x", "\u00a0", "1", ",", "\t")
_NUMBER = re.compile(r"([+-]?)([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(.*)", re.ASCII | re.DOTALL)
_EXACT = Context(prec=2000)
_POWERS = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}


class DisagreementError(AssertionError):
    """percard reads something else."""


def _spelt(seed: int) -> Iterator[bytes]:
    chance = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
    for _ in count():
        digits = str(chance.choice((chance.randrange(100), chance.randrange(10**6), 2 ** chance.randrange(70), chance.getrandbits(80))))
        if chance.random() < 0.3:
            digits += "." + str(chance.getrandbits(40))[: chance.randint(0, 11)]
        text = chance.choice(("", "", "", "+", "-")) + chance.choice(("", "", "0", "00")) + digits + chance.choice(_SUFFIXES)
        if chance.random() < 0.2:
            at = chance.randint(0, len(text))
            text = text[:at] + chance.choice(_ODD) + text[at + chance.randint(0, 1) :]
        yield text.encode()


def _one(data: bytes) -> str:
    text = data.decode()
    right = _by_hand(text)
    try:
        found: int | Fraction | None = parse_quantity(text)
    except UnparsableError:
        found = None
    if right not in ("unknown", found):
        message = f"{text!r} is {found}, not {right}"
        raise DisagreementError(message)
    return "no number" if found is None else "a number"


def _by_hand(text: str) -> int | Fraction | str | None:
    """Return the number, None where there is none, "unknown" for forms that are only percard's and Go's business."""
    match = _NUMBER.fullmatch(text)
    if match is None or text != text.strip():
        return "unknown"
    sign, digits, suffix = match.groups()
    number = Decimal(digits)
    if suffix in _BINARY:
        number = _EXACT.multiply(number, Decimal(2 ** _BINARY[suffix]))
    elif suffix in _POWERS:
        number = _EXACT.scaleb(number, _POWERS[suffix])
    elif re.fullmatch(r"[eE][+-]?[0-9]{1,3}", suffix, re.ASCII):
        number = _EXACT.scaleb(number, int(suffix[1:]))
    elif re.fullmatch(r"[eE][+-]?[0-9]+", suffix, re.ASCII):
        return "unknown"
    else:
        return None
    nano = Decimal("1e-9")
    number = min(number.quantize(nano, rounding=ROUND_UP, context=_EXACT), Decimal(MAX_VALUE))
    exact = Fraction(number) * (-1 if sign == "-" else 1)
    return exact.numerator if exact.denominator == 1 else exact


def fuzz(effort: Effort) -> Outcome:
    """Read as many quantities as are asked for."""
    return tried(effort.of(_spelt(effort.seed)), _one)
