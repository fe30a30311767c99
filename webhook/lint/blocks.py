"""A quick reader for the plain block style in which nearly all manifests are written.

It reads what it is sure of exactly as libyaml does, and leaves every text with anything else in it
(flow style, anchors, tags, block scalars, escapes, text over several lines, tabs) to libyaml. It takes a
third of the time, and `tests/lint/test_blocks.py` holds it to the same answers.
"""

import re
from typing import Any

from webhook.lint.scalars import HINTS, WORDS, ScalarError, resolve

Parts = tuple[str | int, ...]
# The line that an entry or item starts on, by the id of its collection and its key or number.
Marks = dict[tuple[int, str | int], re.Match[str]]

# What must be escaped in YAML, or ends a line.
_NEVER = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
_SAFE = r"[A-Za-z0-9_./+~=@%^$();-]"
_PLAIN = rf"(?:[A-Za-z0-9_./+~]|-(?={_SAFE})){_SAFE}*+(?:(?:\ ++|:)(?={_SAFE}){_SAFE}++)*+"
_DOUBLE = rf'"[^"\\{_NEVER}]*+"'
_SINGLE = rf"'[^'{_NEVER}]*+'"
_COMMENT = rf"\#[^{_NEVER}]*+"
_BLANK = rf"(?:\ *+(?:{_COMMENT})?+\n)*+"
# Blank lines and comments, then one line: indentation, the dash of an item, a key, a value, a comment.
_LINE = re.compile(
    rf"{_BLANK}(\ *+)(-\ ++)?+(?=[^\ \n\#])(?:([A-Za-z_][A-Za-z0-9_./-]{{0,250}}+):(?=[\ \n])\ *+)?+"
    rf"({_PLAIN}|{_DOUBLE}|{_SINGLE}|\[\]|\{{\}})?+\ *+(?:(?<=\ ){_COMMENT})?+\n"
)
_REST = re.compile(_BLANK)
_KEY, _VALUE = 3, 4
_EMPTY = {"[]": list, "{}": dict}
_ROOT = ""


class _UnknownStyleError(Exception):
    """The text holds something that this reader does not know."""


class Blocks:
    """A text in plain block style: its data, and where its entries are."""

    __slots__ = ("_marks", "data")

    def __init__(self, data: Any, marks: Marks) -> None:
        """Keep both; the ids hold as long as `data` does."""
        self.data, self._marks = data, marks

    def span(self, parts: Parts) -> tuple[int, int] | None:
        """Return the range of the value at `parts`, else of the key of its nearest ancestor.

        None for what takes more than the line it starts on, and for the document itself.
        """
        node, mark = self.data, None
        for part in parts:
            found = self._marks.get((id(node), part))
            if found is None:
                return None if mark is None else mark.span(_KEY if mark[_KEY] is not None else _VALUE)
            node, mark = node[part], found
        if mark is None or (node and isinstance(node, dict | list)):
            return None
        return mark.span(_KEY if mark[_VALUE] is None else _VALUE)


def read_blocks(text: str) -> Blocks | None:
    """Return what a text holds, None where another reader must say."""
    try:
        blocks = _read(text if text.endswith("\n") else f"{text}\n")
    except (_UnknownStyleError, ScalarError):
        return None
    return blocks if blocks.data is not None else None


def _read(text: str) -> Blocks:  # noqa: C901 - the hot loop: a call a line would cost a third
    root: dict[str, Any] = {_ROOT: None}
    marks, stack = Marks(), list[tuple[Any, int]]()
    inner: Any = root  # the innermost open collection; below, its indentation and its key whose value may come on later lines
    level, end = -1, 0
    waiting: str | None = _ROOT
    for line in _LINE.finditer(text):
        if line.start() != end:
            raise _UnknownStyleError
        end = line.end()
        indent, dash, key, value = line.groups()
        depth = len(indent)
        if waiting is not None and (depth > level or (depth == level and dash is not None)):
            stack.append((inner, level))
            inner[waiting] = {} if dash is None else []
            inner, level, waiting = inner[waiting], depth, None
        else:
            waiting = None
            while level > depth:
                inner, level = stack.pop()
            if level == depth and dash is None and type(inner) is list:
                inner, level = stack.pop()
        if level != depth or (dash is None) is not (type(inner) is dict):
            raise _UnknownStyleError
        if dash is not None:
            marks[id(inner), len(inner)] = line
            if key is None:
                inner.append(_scalar(value))
                continue
            stack.append((inner, level))
            inner.append({})
            inner, level = inner[-1], depth + len(dash)
        if key is None or key in inner or key in WORDS:
            raise _UnknownStyleError
        marks[id(inner), key] = line
        inner[key] = None if value is None else _scalar(value)
        waiting = key if value is None else None
    if _REST.fullmatch(text, end) is None:
        raise _UnknownStyleError
    return Blocks(root[_ROOT], marks)


def _scalar(written: str) -> Any:
    first = written[0]
    if first in "\"'":
        return written[1:-1]
    if first in "[{":
        return _EMPTY[written]()
    return resolve(written) if first in HINTS else written
