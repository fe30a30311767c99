"""What .gitignore files and --exclude patterns leave out below a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from pathspec import GitIgnoreSpec

IGNORE_FILE = ".gitignore"
_REPOSITORY = ".git"


class Ignores(NamedTuple):
    """The patterns in force in a folder: (the folder that they are relative to, the patterns), inner ones last."""

    levels: tuple[tuple[str, GitIgnoreSpec], ...] = ()

    def entering(self, folder: str, names: Collection[str]) -> Ignores:
        """Return what is in force in `folder`, whose entries are `names`."""
        return self if IGNORE_FILE not in names else self.adding(folder, _lines(Path(folder, IGNORE_FILE)))

    def adding(self, folder: str, lines: Iterable[str]) -> Ignores:
        """Return these patterns and those of `lines`, which are relative to `folder`."""
        from pathspec import GitIgnoreSpec  # noqa: PLC0415 - costs 45 ms, and most runs meet no pattern

        return Ignores((*self.levels, (_absolute(folder), GitIgnoreSpec.from_lines(lines))))

    def ignore(self, path: str) -> bool:
        """Say whether a path (a folder's ends with a slash) is left out: the innermost match decides."""
        if not self.levels:
            return False
        absolute = _absolute(path) + "/" * path.endswith("/")
        for base, patterns in reversed(self.levels):
            include = patterns.check_file(absolute.removeprefix(base).lstrip("/")).include
            if include is not None:
                return include
        return False


def ignores_above(folder: str, exclude: Collection[str]) -> Ignores:
    """Return what is in force for a folder from above: its repository's .gitignore files, then `exclude`."""
    ignores = Ignores()
    parents = Path(_absolute(folder)).parents
    root = next((number for number, parent in enumerate(parents) if (parent / _REPOSITORY).exists()), None)
    if root is not None and not Path(folder, _REPOSITORY).exists():
        for parent in reversed(parents[: root + 1]):
            if (parent / IGNORE_FILE).is_file():
                ignores = ignores.adding(str(parent), _lines(parent / IGNORE_FILE))
    return ignores.adding(folder, exclude) if exclude else ignores


def _absolute(path: str) -> str:
    return str(Path(path).absolute())


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text("utf-8", "replace").splitlines()
    except OSError:
        return []
