"""Runs the real program."""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = [sys.executable, "-m", "webhook.cli"]
ROOT = Path(__file__).resolve().parents[2]
HANG_SECONDS = 60


def environment(**extra: str) -> dict[str, str]:
    """Return this process's environment without settings of percard, and with the project to import from."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PERCARD_") and name not in ("NO_COLOR", "TERM")}
    return {**kept, "PYTHONPATH": str(ROOT), **extra}


def percard(*arguments: str | Path, stdin: str | bytes = "", cwd: Path | None = None, **extra: str) -> subprocess.CompletedProcess[str]:
    """Run percard to its end and return what it printed and its exit code."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    command = [*PROGRAM, *map(str, arguments)]
    done = subprocess.run(command, input=data, capture_output=True, cwd=cwd, env=environment(**extra), timeout=HANG_SECONDS, check=False)
    return subprocess.CompletedProcess(command, done.returncode, done.stdout.decode(), done.stderr.decode())
