"""The programs that are compared, each run to its end, with the processor time and memory that it took."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
_KUBECONFORM = "github.com/yannh/kubeconform/cmd/kubeconform"
_LOAD = """
import os, sys, yaml
for entry in sorted(os.listdir(sys.argv[1])):
    with open(os.path.join(sys.argv[1], entry), "rb") as file:
        yaml.load(file.read(), yaml.CSafeLoader)
"""


class MissingError(Exception):
    """A program cannot be had here; the text says why."""


class Cost(NamedTuple):
    """What a run took: seconds of processor time and of the clock, and the most memory that a process of it had, in MiB."""

    cpu_seconds: float
    wall_seconds: float
    peak_mib: float


def run(command: Sequence[str | Path], codes: Sequence[int] = (0,)) -> Cost:
    """Run a program, its output thrown away; raises `MissingError` where it ends with another exit code than those."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PERCARD_")}
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in codes:
        message = f"{' '.join(map(str, command))} ended with {process.returncode}"
        raise MissingError(message)
    return Cost(used.ru_utime + used.ru_stime, time.perf_counter() - begun, used.ru_maxrss / 1024)


def percard(*arguments: str | Path) -> list[str | Path]:
    """Return the command line of `percard check`."""
    return [sys.executable, "-m", "webhook.cli", "check", *arguments]


def csafeloader(folder: Path) -> list[str | Path]:
    """Return the command line that loads each file of a folder with PyYAML's C loader and does nothing else."""
    return [sys.executable, "-c", _LOAD, folder]


def kubeconform(program: Path, schemas: Path, folder: Path) -> list[str | Path]:
    """Return the command line of kubeconform with one worker and schemas from a folder."""
    return [program, "-n", "1", "-schema-location", f"{schemas}/{{{{.ResourceKind}}}}.json", folder]


def build_kubeconform(folder: Path) -> Path:
    """Build kubeconform with the Go client from the pinned module; raises `MissingError`."""
    program = folder / "kubeconform"
    try:
        done = subprocess.run(
            ["go", "build", "-o", program, _KUBECONFORM],  # noqa: S607 - the one on PATH
            cwd=ROOT / "bench/check/kubeconform",
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        message = "kubeconform needs the Go client to be built"
        raise MissingError(message) from None
    if done.returncode:
        message = f"kubeconform does not build: {done.stderr.strip()[:300]}"
        raise MissingError(message)
    return program
