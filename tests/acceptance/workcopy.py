"""A copy of the project in a temporary folder, as a newcomer has it after a clone and the set-up."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
_LEFT_OUT = shutil.ignore_patterns(".git", ".venv", ".*_cache", ".hypothesis", "__pycache__", "build", "dist", "mutants", "node_modules")
# Nobody's git settings, hooks or editors take part.
_GIT = ("git", "-c", "user.name=t", "-c", "user.email=t@example", "-c", "commit.gpgsign=false", "-c", "core.hooksPath=/dev/null")


def work_copy(folder: Path) -> Path:
    """Return a copy below `folder`: committed, and with this interpreter's environment as its `.venv`."""
    copy = folder / "percard"
    shutil.copytree(ROOT, copy, ignore=_LEFT_OUT)
    environment = copy / ".venv"
    environment.mkdir()
    for entry in Path(sys.prefix).iterdir():
        if entry.name != ".ready":
            (environment / entry.name).symlink_to(entry)
    (environment / ".ready").touch()
    for command in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "all"]):
        subprocess.run([*_GIT, *command], cwd=copy, env=clean_environment(folder), check=True, capture_output=True)
    return copy


def clean_environment(folder: Path) -> dict[str, str]:
    """Return an environment without settings of make, git or percard, whose home and temporary folder are below `folder`."""
    foreign = ("PERCARD_", "GIT_", "MAKE", "MFLAGS", "PYTEST_")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(foreign)}
    for name in ("home", "tmp"):
        (folder / name).mkdir(exist_ok=True)
    return environment | {"HOME": str(folder / "home"), "TMPDIR": str(folder / "tmp"), "GIT_CONFIG_NOSYSTEM": "1"}


def changes(copy: Path, folder: Path) -> str:
    """Return what `git status` says: nothing where the work tree is clean."""
    command = [*_GIT, "status", "--porcelain"]
    return subprocess.run(command, cwd=copy, env=clean_environment(folder), check=True, capture_output=True, text=True).stdout
