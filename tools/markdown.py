"""The little Markdown that the generated documents share."""

from collections.abc import Iterable, Sequence

NOTICE = "<!-- Generated from the code by `make docs`; change the code instead. -->"


def document(title: str, *parts: str) -> str:
    """Return a whole document: the notice, a title, and its parts with a blank line between them."""
    return "\n\n".join([NOTICE, f"# {title}", *(part.strip("\n") for part in parts)]) + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; bars inside cells are escaped."""
    lines = [_row(head), _row(["---"] * len(head)), *map(_row, rows)]
    return "\n".join(lines)


def code(text: object) -> str:
    """Return text as code, nothing for nothing."""
    return f"`{text}`" if str(text) else ""


def codes(texts: Iterable[object]) -> str:
    """Return several texts as code, joined by commas."""
    return ", ".join(map(code, texts))


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
