"""Conditions under which a program is started: a clock, limits and rights of its own, and a server that looks at its files often."""

import os
import resource
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.server.process import ROOT

# A server looks at its files every two seconds; for a test that waits for it, twenty times a second is as true.
LOOKS_OFTEN = "import webhook.server.watch\nwebhook.server.watch.POLL_SECONDS = 0.05\n"
# Root may read everything unless it gives up its capabilities (capset with nothing in it, version 3 of the call).
NO_RIGHTS = """\
import ctypes
ctypes.CDLL(None).capset((ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)())
"""
# The wall clock is ahead by the seconds that stand in a file.
CLOCK = """\
import pathlib
import time
_real, _ahead = time.time, pathlib.Path({file!r})
time.time = lambda: _real() + float(_ahead.read_text() or 0)
"""


def before_start(folder: Path, *code: str) -> dict[str, str]:
    """Return the environment in which Python runs this code before anything else."""
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text("".join(code), encoding="utf-8")
    return {"PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}


@contextmanager
def limited(pid: int, what: int, soft: int) -> Iterator[None]:
    """Lower a limit of a running process (`resource.RLIMIT_…`), and put it back."""
    before = resource.prlimit(pid, what)
    resource.prlimit(pid, what, (soft, before[1]))
    try:
        yield
    finally:
        resource.prlimit(pid, what, before)


@contextmanager
def small_disk(folder: Path, kilobytes: int) -> Iterator[Path]:
    """Mount a file system of so many KiB; skip the test where that is not permitted."""
    folder.mkdir()
    mount = shutil.which("mount")
    if mount is None:
        pytest.skip("needs mount")
    command = [mount, "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("needs the right to mount a small file system")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)  # noqa: S607 – beside mount
