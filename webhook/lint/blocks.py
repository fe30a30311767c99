"""A quick reader for the plain block style in which nearly all manifests are written.

It reads what it is sure of exactly as libyaml does, and leaves every text with anything else in it
(nested flow style, anchors, tags, block scalars, escapes, text over several lines, tabs) to libyaml. It takes
a fifth of the time, and `tests/lint/test_blocks.py` holds it to the same answers.
"""

from typing import Any

from webhook.lint.document import Parts
from webhook.lint.lines import Line, Lines, UnknownStyleError

# Where an entry or item starts, by the id of its collection and its key or number: the index of its line, and the line.
Marks = dict[tuple[int, str | int], tuple[int, Line]]

_ROOT = ""


class Blocks:
    """A text in plain block style: its data, and where its entries are."""

    __slots__ = ("_marks", "data")

    def __init__(self, data: Any, marks: Marks) -> None:
        """Keep both; the ids hold as long as `data` does."""
        self.data, self._marks = data, marks

    def span(self, parts: Parts) -> tuple[int, int] | None:
        """Return the range of the value at `parts`, else of the key of its nearest ancestor.

        None for what takes more than the line it starts on, what stands in brackets, and the document itself.
        """
        node, mark = self.data, None
        for part in parts:
            found = self._marks.get((id(node), part))
            if found is None:
                return None if mark is None or _holds(node, part) else _key_of(mark)
            node, mark = node[part], found
        if mark is None or (node and isinstance(node, dict | list)):
            return None
        return _key_of(mark) if not mark[1].kind else _shifted(mark, 1)


def _holds(node: Any, part: str | int) -> bool:
    return (isinstance(node, dict) and part in node) or (isinstance(node, list) and isinstance(part, int) and part < len(node))


def _key_of(mark: tuple[int, Line]) -> tuple[int, int]:
    return _shifted(mark, 1 if mark[1].key is None else 0)


def _shifted(mark: tuple[int, Line], which: int) -> tuple[int, int]:
    index, line = mark
    start, end = line.place[which]
    return index + start, index + end


def read_blocks(text: str, lines: Lines) -> Blocks | None:
    """Return what a text holds, None where another reader must say; `lines` remembers what was read."""
    try:
        blocks = _read(text, lines)
    except UnknownStyleError:
        return None
    return blocks if blocks.data is not None else None


def _read(text: str, lines: Lines) -> Blocks:  # noqa: C901 - the hot loop: a call a line would cost a third
    root: dict[str, Any] = {_ROOT: None}
    marks, stack = Marks(), list[tuple[Any, int]]()
    inner: Any = root  # the innermost open collection; below, its indentation and its key whose value may come on later lines
    level, after = -1, 0
    waiting: str | None = _ROOT
    for written in text.split("\n"):
        index, after = after, after + len(written) + 1
        line = lines[written]
        if line is None:
            continue
        depth, dash, key, kind, value, _ = line
        if waiting is not None and (depth > level or (dash and depth == level)):
            stack.append((inner, level))
            inner[waiting] = [] if dash else {}
            inner, level, waiting = inner[waiting], depth, None
        else:
            waiting = None
            while level > depth:
                inner, level = stack.pop()
            if level == depth and not dash and type(inner) is list:
                inner, level = stack.pop()
        if level != depth or (not dash) is not (type(inner) is dict):
            raise UnknownStyleError
        if kind > 1:
            value = value.copy()  # no two documents may share it
        if dash:
            marks[id(inner), len(inner)] = index, line
            if key is None:
                inner.append(value)
                continue
            stack.append((inner, level))
            inner.append({})
            inner, level = inner[-1], depth + dash
        if key is None or key in inner:
            raise UnknownStyleError
        marks[id(inner), key] = index, line
        inner[key] = value
        waiting = None if kind else key
    return Blocks(root[_ROOT], marks)
