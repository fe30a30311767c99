"""One line of YAML in plain block style: its indentation, dash, key and value, each line read once however often it is written."""

import re
from typing import Any, NamedTuple

from webhook.lint.scalars import HINTS, WORDS, ScalarError, resolve

# What must be escaped in YAML, or ends a line.
_NEVER = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
_SAFE = r"[A-Za-z0-9_./+~=@%^$();-]"
_FIRST = rf"(?:[A-Za-z0-9_./+~]|-(?={_SAFE})){_SAFE}*+"
_PLAIN = rf"{_FIRST}(?:(?:\ ++|:)(?={_SAFE}){_SAFE}++)*+"
_QUOTED = rf"""\"[^"\\{_NEVER}]*+"|'[^'{_NEVER}]*+'"""
_COMMENT = rf"\#[^{_NEVER}]*+"
_KEY = r"[A-Za-z_][A-Za-z0-9_./-]{0,250}+"
# Inside brackets a colon may mean something else.
_INNER = rf"(?:{_FIRST}(?:\ ++{_SAFE}++)*+|{_QUOTED})"
_LIST = rf"\[(?:\ *+{_INNER}\ *+(?:,\ *+{_INNER}\ *+)*+)?+\]"
_PAIR = rf"\ *+{_KEY}:\ ++{_INNER}\ *+"
_MAPPING = rf"\{{(?:{_PAIR}(?:,{_PAIR})*+)?+\}}"
# Indentation, the dash of an item, a key, a value, a comment.
_LINE = re.compile(
    rf"(\ *+)(-\ ++)?+(?=[^\ \#])(?:({_KEY}):(?=\ |\Z)\ *+)?+({_PLAIN}|{_QUOTED}|{_LIST}|{_MAPPING})?+\ *+(?:(?<=\ ){_COMMENT})?+"
)
_BLANK = re.compile(rf"\ *+(?:{_COMMENT})?+")
_ITEMS = re.compile(_INNER)
_PAIRS = re.compile(rf"({_KEY}):\ ++({_INNER})")
_MOST_LINES = 2_000
_SCALAR, _COLLECTION = 1, 2


class UnknownStyleError(Exception):
    """The line holds something that this reader does not know."""


class Line(NamedTuple):
    """What a line says: `dash` is as wide as the dash and its blanks, `kind` tells no value (0), a scalar (1), a list or mapping (2).

    `place` is where the key and the value stand in the line.
    """

    depth: int
    dash: int
    key: str | None
    kind: int
    value: Any
    place: tuple[tuple[int, int], tuple[int, int]]


class Lines(dict[str, Line | None]):
    """Lines that were read, by their text; None for blank ones and comments. Manifests repeat most of their lines."""

    def __missing__(self, text: str) -> Line | None:
        """Read and remember a line; raises `UnknownStyleError`."""
        if len(self) > _MOST_LINES:
            self.clear()
        self[text] = line = None if _BLANK.fullmatch(text) else _read(text)
        return line


def _read(text: str) -> Line:
    match = _LINE.fullmatch(text)
    if match is None:
        raise UnknownStyleError
    indent, dash, key, written = match.groups(default="")
    if key in WORDS and key:
        raise UnknownStyleError
    kind, value = _value(written)
    return Line(len(indent), len(dash), key or None, kind, value, (match.span(3), match.span(4)))


def _value(written: str) -> tuple[int, Any]:
    if not written:
        return 0, None
    if written[0] == "[":
        return _COLLECTION, [_scalar(item[0]) for item in _ITEMS.finditer(written, 1)]
    if written[0] == "{":
        return _COLLECTION, _mapping(written)
    return _SCALAR, _scalar(written)


def _mapping(written: str) -> dict[str, Any]:
    pairs = [pair.groups() for pair in _PAIRS.finditer(written, 1)]
    found = {key: _scalar(value) for key, value in pairs}
    if len(found) < len(pairs) or not WORDS.keys().isdisjoint(found):
        raise UnknownStyleError
    return found


def _scalar(written: str) -> Any:
    first = written[0]
    if first in "\"'":
        return written[1:-1]
    if first not in HINTS:
        return written
    try:
        return resolve(written)
    except ScalarError:
        raise UnknownStyleError from None
