"""Which revision of percard this is: stamped into what was built, or read from the files of a git checkout."""

import re
from pathlib import Path

# Written when a wheel or an archive of the sources is built (hatch_build.py).
STAMP = Path("webhook/cli/revision.txt")
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_SHOWN = 12


def revision_text(root: Path = Path(__file__).parents[2]) -> str:
    """Return what to say of the revision; `root` is the folder that the package lies in."""
    if revision := stamped(root):
        return f"revision {revision[:_SHOWN]}"
    if commit := checked_out(root):
        return f"checkout of {commit[:_SHOWN]}"
    return "revision unknown"


def stamped(root: Path) -> str:
    """Return the revision that was stamped below a folder, empty where none was."""
    return _commit_in(root / STAMP)


def checked_out(root: Path) -> str:
    """Return the commit that a checkout is at, empty where it is none; git itself is not needed."""
    try:
        git = _git_folder(root)
        head = (git / "HEAD").read_text(encoding="utf-8").strip()
        return _resolved(git, head.removeprefix("ref: ")) if head.startswith("ref: ") else _valid(head)
    except (OSError, UnicodeDecodeError):
        return ""


def _git_folder(root: Path) -> Path:
    """Return where git keeps its files; in a further work tree `.git` is a file that says so."""
    entry = root / ".git"
    return root / entry.read_text(encoding="utf-8").strip().removeprefix("gitdir: ") if entry.is_file() else entry


def _resolved(git: Path, reference: str) -> str:
    shared = git / (git / "commondir").read_text(encoding="utf-8").strip() if (git / "commondir").exists() else git
    for folder in (git, shared):
        if commit := _commit_in(folder / reference):
            return commit
    packed = (line.split(" ", 1) for line in (shared / "packed-refs").read_text(encoding="utf-8").splitlines())
    return next((_valid(first) for first, *rest in packed if rest == [reference]), "")


def _commit_in(file: Path) -> str:
    try:
        return _valid(file.read_text(encoding="utf-8").strip())
    except (OSError, UnicodeDecodeError):
        return ""


def _valid(text: str) -> str:
    return text if _COMMIT.fullmatch(text) else ""
