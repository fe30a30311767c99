"""Why a document cannot be read, and where in its text."""

import re
from bisect import bisect_left
from typing import NamedTuple

_LINE_END = re.compile("\n")
# Characters of a text in which counting costs less than keeping count.
_SHORT = 2_000


class DocumentError(Exception):
    """A document that kubectl or percard refuses to read.

    `index` counts the characters (Unicode code points) of the document's text before the place.
    """

    def __init__(self, message: str, index: int) -> None:
        """Say what is wrong, and where."""
        super().__init__(message)
        self.message = message
        self.index = index


class Position(NamedTuple):
    """A range in a file: lines and columns from 1, columns in code points, the end excluded."""

    line: int
    column: int
    end_line: int
    end_column: int


class Breaks:
    """Where the lines of a text end: in a long one looked for once, however many places are asked for."""

    __slots__ = ("_ends", "_is_short", "_text")

    def __init__(self, text: str) -> None:
        """Take the text; nothing is looked for yet."""
        self._text, self._is_short = text, len(text) <= _SHORT
        self._ends: list[int] | None = None

    def line(self, index: int) -> int:
        """Return the number, from 0, of the line that `text[index]` is on."""
        return self._text.count("\n", 0, index) if self._is_short else bisect_left(self._line_ends(), index)

    def bounds(self, index: int) -> tuple[int, int]:
        """Return where the line that `text[index]` is on starts and ends."""
        if self._is_short:
            end = self._text.find("\n", index)
            return self._text.rfind("\n", 0, index) + 1, end if end >= 0 else len(self._text)
        ends, line = self._line_ends(), self.line(index)
        return ends[line - 1] + 1 if line else 0, ends[line] if line < len(ends) else len(self._text)

    def position(self, start: int, end: int, lines_before: int) -> Position:
        """Return the position of `text[start:end]` in a file where `lines_before` lines stand above the text."""
        line, (above, below) = lines_before + self.line(start) + 1, self.bounds(start)
        if end <= below:
            return Position(line, start - above + 1, line, end - above + 1)
        return Position(line, start - above + 1, lines_before + self.line(end) + 1, end - self.bounds(end)[0] + 1)

    def _line_ends(self) -> list[int]:
        if self._ends is None:
            self._ends = [match.start() for match in _LINE_END.finditer(self._text)]
        return self._ends


def explained(message: str, text: str, index: int) -> str:
    """Return what is wrong at `text[index]`, with what is behind it where its line shows that."""
    start, end = Breaks(text).bounds(min(index, len(text)))
    if "{{" in text[start:end]:
        return f"{message}; this is a template: it must be rendered first, by `helm template` for a chart"
    return f"{message}; it is a tab: a line must be indented with blanks" if text[index : index + 1] == "\t" else message


def position_of(text: str, start: int, end: int, lines_before: int) -> Position:
    """Return one position in a text that is not asked about again."""
    return Breaks(text).position(start, end, lines_before)
