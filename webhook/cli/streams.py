"""Standard output and standard error where they cannot be written: a disk that is full, a reader that went away, a closed end."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, TextIO


def write_whole(stream: BinaryIO, data: bytes) -> None:
    """Write all of it; raises `OSError`. Unbuffered (PYTHONUNBUFFERED), a stream takes what fits and only says how much that was."""
    left = memoryview(data)
    while left:
        taken = stream.write(left)
        if not taken:
            message = "the output takes no more"
            raise BlockingIOError(message)
        left = left[taken:]
    stream.flush()


def give_up_unwritable(stream: TextIO | None) -> None:
    """Write what is still buffered, or let it go nowhere: the interpreter's own attempt would change the exit code."""
    if stream is None:
        return
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


class _Lossy(io.FileIO):
    """A file whose writes never fail."""

    def write(self, data: object) -> int:
        """Write what can be written."""
        try:
            return super().write(data)  # type: ignore[arg-type]  # any buffer, as typeshed's own private name for it says
        except OSError:
            return memoryview(data).nbytes  # type: ignore[arg-type]  # as above


@contextmanager
def told_to_stderr() -> Iterator[None]:
    """Let what is told on standard error be lost where it cannot be written; it must not change the exit code."""
    before = sys.stderr
    # Closed before the start, it is None, and what is told there goes nowhere; in tests it is something else.
    if before is sys.__stderr__:
        lossy = _Lossy(before.fileno(), "w", closefd=False) if before else _Lossy(os.devnull, "w")
        encoding = before.encoding if before else "utf-8"
        sys.stderr = io.TextIOWrapper(io.BufferedWriter(lossy), encoding, "backslashreplace", line_buffering=True)
    try:
        yield
    finally:
        sys.stderr.flush()
        sys.stderr = before
