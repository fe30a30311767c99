"""One document of a file: its data, and where each part of it is written."""

from collections.abc import Callable, Iterable
from typing import Any

from webhook.lint.faults import Position, position_of
from webhook.lint.places import Found, Place, Token, find, tree


class Document:
    """One document of a file: its data, and where each part of it is written.

    `text` is the text that it was cut from, with `lines_before` lines of the file above it; `start`
    is where the document begins in `text` (more than 0 only for JSON values that follow one another).
    """

    __slots__ = ("_root", "_tokens", "data", "lines_before", "start", "text")

    def __init__(self, data: Any, text: str, tokens: Callable[[], Iterable[Token]], *, start: int = 0, lines_before: int = 0) -> None:
        """Wrap `data`; `tokens` returns the tokens of the text from `start`, and is called once a position is asked for."""
        self.data, self.text, self.start, self.lines_before = data, text, start, lines_before
        self._tokens = tokens
        self._root: Place | None = None

    def locate(self, parts: tuple[str | int, ...]) -> Position:
        """Return where the value at `parts` is written, quotes included.

        Where it does not exist: the key of the nearest ancestor that does.
        """
        return self.position(*self.span(parts))

    def span(self, parts: tuple[str | int, ...]) -> tuple[int, int]:
        """Return what `locate` does as indexes of `text`."""
        start, end = self.found(parts).span
        return start + self.start, end + self.start

    def position(self, start: int, end: int) -> Position:
        """Return the position of `text[start:end]`."""
        return position_of(self.text, start, end, self.lines_before)

    def found(self, parts: tuple[str | int, ...]) -> Found:
        """Return the places at `parts`; their indexes count from `start`."""
        if self._root is None:
            self._root = tree(self._tokens(), self.text[self.start :] if self.start else self.text)
        return find(self._root, parts)
