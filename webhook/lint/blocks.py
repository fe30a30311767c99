"""A quick reader for the plain block style in which nearly all manifests are written.

It reads what it is sure of exactly as libyaml does, and leaves every text with anything else in it
(nested flow style, anchors, tags, block scalars, escapes, text over several lines, tabs) to libyaml. It takes
a fifth of the time, and `tests/lint/test_blocks.py` holds it to the same answers.
"""

from typing import Any

from webhook.lint.lines import KEY, VALUE, Line, Lines, UnknownStyleError

Parts = tuple[str | int, ...]
# Where entries and items start, in the order of the text: their collection, their key or number there, the line's number and the line.
Marks = list[tuple[Any, str | int, int, Line]]

_ROOT = ""


class Blocks:
    """A text in plain block style: its data, and where its entries are."""

    __slots__ = ("_marks", "_text", "data")

    def __init__(self, data: Any, marks: Marks, text: str) -> None:
        """Keep what was read."""
        self.data, self._marks, self._text = data, marks, text

    def span(self, parts: Parts) -> tuple[int, int] | None:
        """Return the range of the value at `parts`, else of the key of its nearest ancestor.

        None for what takes more than the line it starts on, what stands in brackets, and the document itself.
        """
        if not parts:
            return None
        node, found, nearest = self.data, 0, None
        for mark in self._marks:
            # What a collection holds stands behind its own mark.
            if mark[0] is node and mark[1] == parts[found]:
                node, nearest = node[mark[1]], mark
                found += 1
                if found == len(parts):
                    return self._range(mark, VALUE if mark[3][3] else KEY) if not (node and isinstance(node, dict | list)) else None
        return None if nearest is None or _holds(node, parts[found]) else self._range(nearest, KEY)

    def _range(self, mark: tuple[Any, str | int, int, Line], group: int) -> tuple[int, int]:
        _, _, number, (*_, key, _, _, match) = mark
        start, end = match.span(VALUE if key is None else group)
        before = len(self._text) - len(self._text.split("\n", number)[number])
        return before + start, before + end


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
    root: dict[str, Any] = {_ROOT: None}
    marks, stack = Marks(), list[tuple[Any, int]]()
    inner: Any = root  # the innermost open collection; below, its indentation and its key whose value may come on later lines
    level = -1
    waiting: str | None = _ROOT
    for number, written in enumerate(text.split("\n")):
        line = lines[written]
        if line is None:
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
            marks.append((inner, len(inner), number, line))
            if key is None:
                inner.append(value)
                waiting = None
                continue
            stack.append((inner, level))
            inner.append({})
            inner, level = inner[-1], depth + dash
        if key is None or key in inner:
            raise UnknownStyleError
        marks.append((inner, key, number, line))
        inner[key] = value
        waiting = None if kind else key
    return Blocks(root[_ROOT], marks, text)
