"""One document of a file: its data, and where each part of it is written."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from webhook.lint.faults import Breaks, Position

if TYPE_CHECKING:
    from webhook.lint.places import Found, Place, Token

Parts = tuple[str | int, ...]
Tokens = Callable[[], "Iterable[Token]"]
Span = Callable[[Parts], tuple[int, int] | None]


def no_span(_: Parts) -> None:
    """Know no place."""


class Finders(NamedTuple):
    """How to find a place: `tokens` returns all tokens of the text; `quick` is asked first, None where it does not know.

    `breaks` are those of a text that several documents share.
    """

    tokens: Tokens
    quick: Span
    breaks: Breaks | None = None


class Document:
    """One document of a file: its data, and where each part of it is written.

    `text` is the text that it was cut from, with `lines_before` lines of the file above it; `start`
    is where the document begins in `text` (more than 0 only for JSON values that follow one another).
    """

    __slots__ = ("_breaks", "_quick", "_root", "_tokens", "data", "lines_before", "start", "text")

    def __init__(self, data: Any, text: str, finders: Finders, *, start: int = 0, lines_before: int = 0) -> None:
        """Wrap `data`; the finders answer in indexes of the text from `start`."""
        self.data, self.text, self.start, self.lines_before = data, text, start, lines_before
        self._tokens, self._quick, self._breaks = finders
        self._root: Place | None = None

    @property
    def breaks(self) -> Breaks:
        """Return where the lines of `text` end."""
        if self._breaks is None:
            self._breaks = Breaks(self.text)
        return self._breaks

    def locate(self, parts: Parts) -> Position:
        """Return where the value at `parts` is written, quotes included.

        Where it does not exist: the key of the nearest ancestor that does.
        """
        return self.position(*self.span(parts))

    def span(self, parts: Parts) -> tuple[int, int]:
        """Return what `locate` does as indexes of `text`."""
        start, end = self._quick(parts) or self.found(parts).span
        return start + self.start, end + self.start

    def position(self, start: int, end: int) -> Position:
        """Return the position of `text[start:end]`."""
        return self.breaks.position(start, end, self.lines_before)

    def found(self, parts: Parts) -> "Found":
        """Return the places at `parts`; their indexes count from `start`."""
        from webhook.lint.places import find, tree  # noqa: PLC0415 - most runs need no tree: their start is what people wait for

        if self._root is None:
            self._root = tree(self._tokens(), self.text[self.start :] if self.start else self.text)
        return find(self._root, parts)

    def scalars(self) -> Iterator[tuple[int, int]]:
        """Yield the ranges of all scalars as indexes of `text`."""
        for kind, event in self._tokens():
            if kind == "scalar":
                yield event.start_mark.index + self.start, event.end_mark.index + self.start
