"""What a YAML scalar stands for, as sigs.k8s.io/yaml (and so kubectl) reads it: YAML 1.1 with Go's numbers.

Source: `resolve.go` of go.yaml.in/yaml/v2, and `encoding/json` for what becomes of a float on its way
to the API server. `tests/lint/scalars.json` holds the answers that Go itself gave.
"""

import base64
import binascii
import re
import struct
from fractions import Fraction
from typing import Any

_LONG_TAG = "tag:yaml.org,2002:"
WORDS: dict[str, Any] = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
}
# A plain scalar that starts with none of these is text.
HINTS = frozenset(("", *"yYnNtTfFoO~+-.0123456789"))

_INTEGER = re.compile(r"([+-]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|(0[oO]?[0-7]+)|(0|[1-9][0-9]*))", re.ASCII)
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", re.ASCII)
# Go's ParseFloat takes `_` between digits; only a scalar that starts with a point gets there unstripped.
_POINT_FLOAT = re.compile(r"\.[0-9]+(_[0-9]+)*([eE][-+]?[0-9]+(_[0-9]+)*)?", re.ASCII)
_MIN_INT64, _MAX_INT64, _MAX_UINT64 = -(1 << 63), (1 << 63) - 1, (1 << 64) - 1
# Twice the digits of any 64-bit number in base 2: longer ones are floats, and int() never sees them.
_MAX_DIGITS = 128
# encoding/json writes floats from here on with an exponent; below, a whole one comes out as an integer.
_JSON_EXPONENT_FROM = 1e21
_MAX_FLOAT32 = 3.4028234663852886e38


class ScalarError(ValueError):
    """The scalar cannot be what its tag says, or has no place in JSON; the text says why."""


def resolve(text: str) -> Any:
    """Return what a plain (unquoted, untagged) scalar stands for.

    A date, a time and a number in base 60 are text. A float that is whole becomes an `int`, because
    that is how it reaches the API server. Raises `ScalarError` for `.nan` and `.inf`, which JSON lacks.
    """
    if text in WORDS:
        return _finite(WORDS[text], text)
    if text[0] == ".":
        return _float(text.replace("_", ""), text) if _POINT_FLOAT.fullmatch(text) else text
    if text[0] in "+-0123456789":
        return _number(text)
    return text


def _finite(value: Any, text: str) -> Any:
    if type(value) is float:
        message = f"'{text}' is not a number that JSON can hold"
        raise ScalarError(message)
    return value


def _number(text: str) -> Any:
    plain = text.replace("_", "")
    number = _integer(plain)
    if number is not None:
        return number
    return _float(plain, text) if _FLOAT.fullmatch(plain) else text


def _integer(plain: str) -> int | None:
    match = _INTEGER.fullmatch(plain)
    if match is None or len(plain) > _MAX_DIGITS:
        return None
    sign, hexadecimal, binary, octal, decimal = match.groups()
    if hexadecimal is not None:
        number = int(hexadecimal, 16)
    elif binary is not None:
        number = int(binary, 2)
    else:
        number = int(decimal) if octal is None else int(octal.lstrip("oO0") or "0", 8)
    if sign == "-":
        number = -number
    # A signed text is parsed as int64 only; an unsigned one may use the 64th bit.
    largest = _MAX_INT64 if sign else _MAX_UINT64
    return number if _MIN_INT64 <= number <= largest else None


def _float(plain: str, text: str) -> Any:
    number = float(plain)
    return text if number in (float("inf"), float("-inf")) else as_json_number(number)


def as_json_number(number: float) -> int | float:
    """Return the number as it is after Go has written it as JSON and read it again."""
    if not number.is_integer() or abs(number) >= _JSON_EXPONENT_FROM:
        return number
    # encoding/json writes the shortest digits and pads with zeros.
    whole = Fraction(repr(number)).numerator
    return whole if _MIN_INT64 <= whole <= _MAX_INT64 else number


def tagged(text: str, tag: str) -> Any:
    """Return what a scalar with an explicit tag stands for; a tag that is none of YAML's makes it text.

    Raises `ScalarError` where the two contradict each other.
    """
    short = tag.removeprefix(_LONG_TAG) if tag.startswith(_LONG_TAG) else None
    if short == "binary":
        return _decoded(text)
    if short not in ("bool", "int", "float", "null"):
        return text
    value = resolve(text)
    fits = {"bool": type(value) is bool, "int": type(value) is int, "float": type(value) in (int, float), "null": value is None}
    if not fits[short]:
        message = f"cannot decode '{text}' as a !!{short}"
        raise ScalarError(message)
    return value


def _decoded(text: str) -> str:
    try:
        return base64.b64decode("".join(text.split()).encode("utf-8", "replace"), validate=True).decode("utf-8", "replace")
    except binascii.Error:
        message = "!!binary value contains invalid base64 data"
        raise ScalarError(message) from None


def key_text(key: Any) -> str:
    """Return the JSON key for a mapping key that is not text, as sigs.k8s.io/yaml converts it.

    Raises `ScalarError` for null, collections and numbers above int64.
    """
    if type(key) is bool:
        return "true" if key else "false"
    if type(key) is int and _MIN_INT64 <= key <= _MAX_INT64:
        return str(key)
    if type(key) is float:
        return _float32_text(key)
    what = {type(None): "null", list: "a list", dict: "a mapping"}.get(type(key), "a number above 64 bits")
    message = f"a mapping key must be text, not {what}"
    raise ScalarError(message)


def _float32_text(number: float) -> str:
    """Return Go's `FormatFloat(number, 'g', -1, 32)`: the shortest digits that a float32 keeps."""
    if abs(number) > _MAX_FLOAT32:
        return ".inf" if number > 0 else "-.inf"
    single = struct.pack("<f", number)
    texts = (f"{number:.{digits}g}" for digits in range(6, 10))
    return next((text for text in texts if struct.pack("<f", float(text)) == single), repr(number))
