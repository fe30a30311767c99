"""Plain tables and pages on stdout."""

from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches

import click


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of equal length with their columns aligned; the last column is as wide as it likes."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    return "".join("  ".join([*map(str.ljust, row, widths), row[-1]]).rstrip() + "\n" for row in rows)


def page_of(what: str, name: str, pages: Mapping[str, str]) -> str:
    """Return the page called `name` below its name; raises `click.UsageError` where there is none."""
    known = known_as(name, pages)
    if known is None:
        message = f"there is no {what} '{name}'; {must_be(name, pages)}"
        raise click.UsageError(message)
    return f"{known}\n\n{pages[known].strip()}\n"


def known_as(name: str, ids: Collection[str]) -> str | None:
    """Return the id that is meant by `name`, in whatever case, and with - or _ as settings and messages spell it."""
    return next((known for known in ids if _plain(known) == _plain(name)), None)


def must_be(name: str, ids: Collection[str]) -> str:
    """Return which ids there are, those that are spelt like `name` before all others."""
    close = get_close_matches(_plain(name), sorted(ids), n=1)
    asked = f"did you mean '{close[0]}'? It" if close else "it"
    return f"{asked} must be one of {', '.join(sorted(ids))}"


def _plain(name: str) -> str:
    return name.lower().replace("_", "-")
