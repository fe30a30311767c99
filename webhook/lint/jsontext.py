"""JSON text, which kubectl reads with a JSON parser wherever a document starts with a brace."""

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from webhook.lint.faults import DocumentFault
from webhook.lint.scalars import as_json_number

_BLANK = re.compile(r"[ \t\r\n]*")
_SURROGATES = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
# Python refuses to convert longer texts; Go makes them floats, as `_number` does.
_MAX_DIGITS = 4_000


class NotJsonError(Exception):
    """The text is not JSON, or holds nothing."""


class _RepeatedKeyError(Exception):
    """A key stands twice in one object."""


def documents(text: str) -> Iterator[tuple[Any, int]]:
    """Yield each value of a JSON text and the index where it starts; null is skipped.

    Raises `NotJsonError`, and `DocumentFault` where the text is JSON that percard refuses.
    """
    decoder = json.JSONDecoder(object_pairs_hook=_object, parse_float=_float, parse_int=_int, parse_constant=_constant)
    index = _skip(text, 0)
    while index < len(text):
        value, end = _value(decoder, text, index)
        if value is not None:
            yield value, index
        index = _skip(text, end)


def _skip(text: str, index: int) -> int:
    match = _BLANK.match(text, index)
    return match.end() if match else index


def _value(decoder: json.JSONDecoder, text: str, index: int) -> tuple[Any, int]:
    try:
        return decoder.raw_decode(text, index)
    except _RepeatedKeyError as error:
        key = str(error)
        raise DocumentFault(f"duplicate key '{key}'", _second(text, key, index)) from None
    except RecursionError:
        raise DocumentFault("the document is nested too deeply", index) from None
    except ValueError:
        raise NotJsonError from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        keys = [key for key, _ in pairs]
        raise _RepeatedKeyError(next(key for key in keys if keys.count(key) > 1))
    return result


def _second(text: str, key: str, index: int) -> int:
    """Return about where a repeated key stands again: exact unless the same key stands elsewhere too."""
    spelt = json.dumps(key, ensure_ascii=False)
    first = text.find(spelt, index)
    return max(text.find(spelt, first + 1), first, index)


def _float(digits: str) -> int | float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        message = "a number beyond the range of a float"
        raise ValueError(message)
    return as_json_number(number)


def _int(digits: str) -> int | float:
    return int(digits) if len(digits) < _MAX_DIGITS else _float(digits)


def _constant(name: str) -> NoReturn:
    raise ValueError(name)


def without_surrogates(text: str) -> str:
    r"""Return JSON text with `\ud83d` and the like replaced, same length: YAML has no such escapes."""
    return _SURROGATES.sub(r"\\ufffd", text)
