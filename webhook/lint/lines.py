"""One line of YAML in plain block style: its indentation, dash, key and value, each line read once however often it is written."""

import re
from typing import Any

from webhook.lint.scalars import HINTS, WORDS, ScalarError, resolve

# Groups are repeated in atomic groups: before 3.11.5, Python's possessive quantifiers go wrong on groups (python/cpython#106052).
# What must be escaped in YAML, or ends a line.
_NEVER = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
_SAFE = r"[A-Za-z0-9_./+~=@%^$();-]"
_FIRST = rf"(?:[A-Za-z0-9_./+~]|-(?={_SAFE})){_SAFE}*+"
_PLAIN = rf"{_FIRST}(?>(?:(?:\ ++|:)(?={_SAFE}){_SAFE}++)*)"
_QUOTED = rf"""\"[^"\\{_NEVER}]*+"|'[^'{_NEVER}]*+'"""
_COMMENT = rf"\#[^{_NEVER}]*+"
_KEY = r"[A-Za-z_][A-Za-z0-9_./-]{0,250}+"
# Inside brackets a colon may mean something else.
_INNER = rf"(?:{_FIRST}(?>(?:\ ++{_SAFE}++)*)|{_QUOTED})"
_LIST = rf"\[(?>(?:\ *+{_INNER}\ *+(?>(?:,\ *+{_INNER}\ *+)*))?)\]"
_PAIR = rf"\ *+{_KEY}:\ ++{_INNER}\ *+"
_MAPPING = rf"\{{(?>(?:{_PAIR}(?>(?:,{_PAIR})*))?)\}}"
# Indentation, the dash of an item, a key, a value, a comment.
_LINE = re.compile(
    rf"(\ *+)(?>(-\ ++)?)(?=[^\ \#])(?>(?:({_KEY}):(?=\ |\Z)\ *+)?)"
    rf"(?>({_PLAIN}|{_QUOTED}|{_LIST}|{_MAPPING})?)\ *+(?>(?:(?<=\ ){_COMMENT})?)"
)
_BLANK = re.compile(rf"\ *+(?>(?:{_COMMENT})?)")
_ITEMS = re.compile(_INNER)
_PAIRS = re.compile(rf"({_KEY}):\ ++({_INNER})")
_MOST_LINES = 2_000
_SCALAR, _COLLECTION = 1, 2
# What is no text as a key; what a value starts with that is not simply text.
_WORDS = WORDS.keys() - {""}
_NO_TEXT = HINTS | set("\"'[{")


class UnknownStyleError(Exception):
    """The line holds something that this reader does not know."""


# What a line says: its indentation; how wide the dash and its blanks are; the key; the kind, which tells no value (0), a scalar (1), a list
# or mapping (2); the value; and the match, whose groups KEY and VALUE tell where the two stand in the line.
Line = tuple[int, int, str | None, int, Any, re.Match[str]]
KEY, VALUE = 3, 4


class Lines(dict[str, Line | None]):
    """Lines that were read, by their text; None for blank ones and comments. Manifests repeat most of their lines."""

    def __missing__(self, text: str) -> Line | None:
        """Read and remember a line; raises `UnknownStyleError`."""
        if len(self) > _MOST_LINES:
            self.clear()
        match = _LINE.fullmatch(text)
        if match is None and _BLANK.fullmatch(text) is None:
            raise UnknownStyleError
        self[text] = line = None if match is None else _read(match)
        return line


def _read(match: re.Match[str]) -> Line:
    indent, dash, key, written = match.groups("")
    if key in _WORDS:
        raise UnknownStyleError
    if written[:1] in _NO_TEXT:
        kind, value = _value(written)
    else:
        kind, value = _SCALAR, written
    return len(indent), len(dash), key or None, kind, value, match


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
