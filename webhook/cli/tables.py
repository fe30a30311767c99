"""Plain tables and pages on stdout."""

from collections.abc import Mapping, Sequence

import click


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of equal length with their columns aligned; the last column is as wide as it likes."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    return "".join("  ".join([*map(str.ljust, row, widths), row[-1]]).rstrip() + "\n" for row in rows)


def page_of(what: str, name: str, pages: Mapping[str, str]) -> str:
    """Return the page called `name` below its name; raises `click.UsageError` where there is none."""
    if name not in pages:
        message = f"there is no {what} '{name}'; it must be one of {', '.join(sorted(pages))}"
        raise click.UsageError(message)
    return f"{name}\n\n{pages[name].strip()}\n"
