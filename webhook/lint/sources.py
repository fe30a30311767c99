"""The files that paths on the command line stand for."""

import errno
import os
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from webhook.lint.ignores import Ignores, ignores_above

STDIN = "-"
SUFFIXES = (".yaml", ".yml", ".json")


class Missing(NamedTuple):
    """A path that cannot be read, and why."""

    name: str
    reason: str


def stdin_descriptor() -> int:
    """Return the descriptor of standard input; raises `OSError` where it was closed before the program started."""
    if sys.stdin is None:
        raise OSError(errno.EBADF, "standard input is closed")
    return sys.stdin.fileno()


def find_sources(paths: Iterable[str], exclude: Iterable[str] = ()) -> Iterator[str | Missing]:
    """Yield the names of the files that `paths` stand for, none twice, those of a folder sorted.

    A file is taken whatever its name; below a folder, hidden entries, links to folders (which can
    loop), what .gitignore names and what `exclude` (same syntax) names are left out.
    """
    patterns = tuple(exclude)
    named = list(paths)
    if len(named) == 1:
        # Nothing below one path can be met twice.
        yield from _expanded(named[0], patterns)
        return
    seen: set[str] = set()
    for path in named:
        for source in _expanded(path, patterns):
            name = os.path.normpath(source if isinstance(source, str) else source.name)
            if name not in seen:
                seen.add(name)
                yield source


def _expanded(path: str, exclude: tuple[str, ...]) -> Iterator[str | Missing]:
    if path != STDIN and os.path.isdir(path):  # noqa: PTH112 - Path.is_dir raises for a name that is too long
        yield from _walk(path, ignores_above(path, exclude))
    elif path == STDIN or os.path.lexists(path):
        yield path
    else:
        yield Missing(path, "no such file or folder")


def _walk(folder: str, ignores: Ignores) -> Iterator[str | Missing]:
    try:
        with os.scandir(folder) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
    except OSError as error:
        yield Missing(folder, error.strerror or str(error))
        return
    below = ignores.entering(folder, {entry.name for entry in entries})
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            if not below.ignore(f"{entry.path}/"):
                yield from _walk(entry.path, below)
        elif entry.name.endswith(SUFFIXES) and not below.ignore(entry.path) and not (entry.is_symlink() and os.path.isdir(entry)):  # noqa: PTH112 - links may loop
            yield entry.path.removeprefix("./")
