"""Runs the real program."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

PROGRAM = [sys.executable, "-m", "webhook.cli"]
ROOT = Path(__file__).resolve().parents[2]
HANG_SECONDS = 60
SCRIPTS: dict[str, str] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]


def environment(**extra: str) -> dict[str, str]:
    """Return this process's environment without what changes percard's output, and with the project to import from."""
    left_out = ("NO_COLOR", "TERM", "PYTHONUNBUFFERED")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PERCARD_") and name not in left_out}
    return {**kept, "PYTHONPATH": str(ROOT), **extra}


def percard(*arguments: str | Path, stdin: str | bytes = "", cwd: Path | None = None, **extra: str) -> subprocess.CompletedProcess[str]:
    """Run percard to its end and return what it printed and its exit code."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    command = [*PROGRAM, *map(str, arguments)]
    done = subprocess.run(command, input=data, capture_output=True, cwd=cwd, env=environment(**extra), timeout=HANG_SECONDS, check=False)
    return subprocess.CompletedProcess(command, done.returncode, done.stdout.decode(), done.stderr.decode())


def run(folder: Path, script: str, *shell: str, **extra: str) -> subprocess.CompletedProcess[str]:
    """Run a script in a repository with the project in .percard, by bash as GitHub calls it or by another `shell`."""
    path = f"{folder / '.percard/.venv/bin'}{os.pathsep}{os.environ['PATH']}"
    command = [*(shell or ("/bin/bash", "--noprofile", "--norc", "-eo", "pipefail", "-c")), script]
    variables = environment(PATH=path, **extra)
    return subprocess.run(
        command, cwd=folder, env=variables, capture_output=True, text=True, timeout=HANG_SECONDS, check=False, stdin=subprocess.DEVNULL
    )
