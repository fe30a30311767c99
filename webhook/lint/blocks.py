"""A quick reader for the plain block style in which nearly all manifests are written.

It reads what it is sure of exactly as libyaml does, and leaves every text with anything else in it
(nested flow style, anchors, tags, block scalars, escapes, text over several lines, tabs) to libyaml. It takes
a fifth of the time, and `tests/lint/test_blocks.py` holds it to the same answers.
"""

from typing import Any

from webhook.lint.document import Parts
from webhook.lint.lines import KEY, VALUE, Line, Lines, UnknownStyleError

# Where entries and items start, in the order of the text: their collection, their key or number there, the index of the line, the line.
Mark = tuple[Any, str | int, int, Line]

_ROOT = ""
# Entries of a text in which going through them costs less than an index of them.
_FEW = 200


class Blocks:
    """A text in plain block style: its data, and where its entries are."""

    __slots__ = ("_index", "_marks", "data")

    def __init__(self, data: Any, marks: list[Mark]) -> None:
        """Keep both; the ids in an index hold as long as `data` does."""
        self.data, self._marks = data, marks
        self._index: dict[tuple[int, str | int], Mark] = {}

    def span(self, parts: Parts) -> tuple[int, int] | None:
        """Return the range of the value at `parts`, else of the key of its nearest ancestor.

        None for what takes more than the line it starts on, what stands in brackets, and the document itself.
        """
        if not parts:
            return None
        along = self._along(parts) if len(self._marks) <= _FEW else self._looked_up(parts)
        if not along:
            return None
        node, mark = along[-1][0][along[-1][1]], along[-1]
        if len(along) < len(parts):
            return None if _holds(node, parts[len(along)]) else _range(mark, KEY)
        return None if node and isinstance(node, dict | list) else _range(mark, VALUE if mark[3][3] else KEY)

    def _along(self, parts: Parts) -> list[Mark]:
        """Return the marks that lead to `parts`, as far as there are any."""
        node = self.data
        found: list[Mark] = []
        for mark in self._marks:
            # What a collection holds stands behind its own mark.
            if mark[0] is node and mark[1] == parts[len(found)]:
                node = node[mark[1]]
                found.append(mark)
                if len(found) == len(parts):
                    break
        return found

    def _looked_up(self, parts: Parts) -> list[Mark]:
        """Return the same in a long text."""
        self._index = self._index or {(id(mark[0]), mark[1]): mark for mark in self._marks}
        node = self.data
        found: list[Mark] = []
        for part in parts:
            mark = self._index.get((id(node), part))
            if mark is None:
                break
            node = node[part]
            found.append(mark)
        return found


def _range(mark: Mark, group: int) -> tuple[int, int]:
    _, _, index, (_, _, key, _, _, match) = mark
    start, end = match.span(VALUE if key is None else group)
    return index + start, index + end


def _holds(node: Any, part: str | int) -> bool:
    return (isinstance(node, dict) and part in node) or (isinstance(node, list) and isinstance(part, int) and part < len(node))


def read_blocks(text: str, lines: Lines) -> Blocks | None:
    """Return what a text holds, None where another reader must say; `lines` remembers what was read."""
    try:
        blocks = _read(text, lines)
    except UnknownStyleError:
        return None
    return blocks if blocks.data is not None else None


def _read(text: str, lines: Lines) -> Blocks:  # noqa: C901 - the hot loop: a call a line would cost a third
    marks: list[Mark] = []
    stack = []
    # The innermost open collection; its key whose value may come on later lines; its indentation.
    inner: Any = (root := {_ROOT: None})
    waiting: str | None = _ROOT
    level, after = -1, 0
    for written in text.split("\n"):
        index, after = after, after + len(written) + 1
        if (line := lines[written]) is None:
            continue
        depth, dash, key, kind, value, _ = line
        if waiting is not None and (depth > level or (dash and depth == level)):
            stack.append((inner, level))
            inner[waiting] = [] if dash else {}
            inner, level = inner[waiting], depth
        else:
            while level > depth:
                inner, level = stack.pop()
            if level == depth and not dash and type(inner) is list:
                inner, level = stack.pop()
            if level != depth or (not dash) is not (type(inner) is dict):
                raise UnknownStyleError
        if kind > 1:
            value = value.copy()  # no two documents may share it
        if dash:
            marks.append((inner, len(inner), index, line))
            if key is None:
                inner.append(value)
                waiting = None
                continue
            stack.append((inner, level))
            inner.append({})
            inner, level = inner[-1], depth + dash
        if key is None or key in inner:
            raise UnknownStyleError
        marks.append((inner, key, index, line))
        inner[key] = value
        waiting = None if kind else key
    return Blocks(root[_ROOT], marks)
