"""Why a document cannot be read, and where in its text."""

from typing import NamedTuple


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


def position_of(text: str, start: int, end: int, lines_before: int) -> Position:
    """Return the position of `text[start:end]` in a file where `lines_before` lines stand above the text."""
    line, above = lines_before + text.count("\n", 0, start) + 1, text.rfind("\n", 0, start)
    more = text.count("\n", start, end)
    return Position(line, start - above, line + more, end - (text.rfind("\n", start, end) if more else above))
