"""JSON text, which kubectl reads with a JSON parser wherever a document starts with a brace."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NoReturn

from webhook.lint.faults import DocumentError
from webhook.lint.scalars import as_json_number

_BLANK = re.compile(r"[ \t\r\n]*")
# An escape, a pair of surrogates as one.
_ESCAPE = re.compile(r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[dD][89a-fA-F][0-9a-fA-F]{2}|.)", re.DOTALL)
_REPLACEMENT = r"\ufffd"
_REPLACEMENT_CHARACTER = "\ufffd"
# What YAML refuses in its text (YAML 1.1, `c-printable`), and JSON does not.
_UNSEEN = re.compile("[\x7f-\x84\x86-\x9f\ufffe\uffff]")
# Python refuses to convert longer texts; Go makes them floats, as `_number` does.
_MAX_DIGITS = 4_000


class NotJsonError(Exception):
    """The text is not JSON, or holds nothing."""


class _RangeError(Exception):
    """A number is too large."""


class _RepeatedKeyError(Exception):
    """A key stands twice in one object."""


def documents(text: str) -> Iterator[tuple[Any, int, int]]:
    """Yield each value of a JSON text and the indexes where it starts and ends; null is skipped.

    Raises `NotJsonError`, and `DocumentError` where the text is JSON that percard refuses, or kubectl
    because more than one value came before what is none.
    """
    decoder = json.JSONDecoder(object_pairs_hook=_object, parse_float=_float, parse_int=_int, parse_constant=_constant)
    # Go reads half a pair as U+FFFD; Python would make text of it that nothing can print.
    text = _ESCAPE.sub(_without_half_pairs, text)
    index = _skip(text, 0)
    values = 0
    while index < len(text):
        try:
            value, end = _value(decoder, text, index)
        except NotJsonError:
            if values > 1:
                message = "what follows a JSON value must be another one"
                raise DocumentError(message, index) from None
            raise
        values += 1
        if value is not None:
            yield value, index, end
        index = _skip(text, end)


def _skip(text: str, index: int) -> int:
    match = _BLANK.match(text, index)
    return match.end() if match else index


def _value(decoder: json.JSONDecoder, text: str, index: int) -> tuple[Any, int]:
    try:
        return decoder.raw_decode(text, index)
    except _RepeatedKeyError as error:
        key = str(error)
        message = f"duplicate key '{key}'"
        raise DocumentError(message, _second(text, key, index)) from None
    except _RangeError as error:
        raise DocumentError(str(error), index) from None
    except RecursionError:
        message = "a document must not be nested this deeply"
        raise DocumentError(message, index) from None
    except ValueError:
        raise NotJsonError from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        counts = Counter(key for key, _ in pairs)
        raise _RepeatedKeyError(next(key for key, count in counts.items() if count > 1))
    return result


def _second(text: str, key: str, index: int) -> int:
    """Return about where a repeated key stands again: exact unless the same key stands elsewhere too."""
    spelt = json.dumps(key, ensure_ascii=False)
    first = text.find(spelt, index)
    return max(text.find(spelt, first + 1), first, index)


def _float(digits: str) -> int | float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        message = "a number must be within the range of a 64-bit float"
        raise _RangeError(message)
    return as_json_number(number)


def _int(digits: str) -> int | float:
    return int(digits) if len(digits) < _MAX_DIGITS else _float(digits)


def _constant(name: str) -> NoReturn:
    raise ValueError(name)


def _without_half_pairs(match: re.Match[str]) -> str:
    return _REPLACEMENT if len(match[0]) == len(_REPLACEMENT) else match[0]


def as_yaml_reads_it(text: str) -> str:
    r"""Return JSON text of the same length that YAML reads: it has no `\ud83d\ude00`, and no characters that nobody can see."""
    text = _UNSEEN.sub(_REPLACEMENT_CHARACTER, text)
    return _ESCAPE.sub(lambda match: _REPLACEMENT * (len(match[0]) // len(_REPLACEMENT)) or match[0], text)
