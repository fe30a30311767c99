"""Starts programs whose output goes to a file, waits for them, and ends them by their process ids."""

import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Self

_GRACE_SECONDS = 30


class NotReadyError(Exception):
    """A program ended or did not become ready; the text ends with what it printed last."""


class Process:
    """One running program; leaving the block ends it."""

    def __init__(self, command: Sequence[str | Path], log: Path, environment: Mapping[str, str] | None = None) -> None:
        self.log = log
        with log.open("ab") as output:
            self._child = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=environment, start_new_session=True)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._child.pid

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> int:
        """End the program, gently first; return its exit code."""
        self._child.terminate()
        try:
            return self._child.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            self._child.kill()
            return self._child.wait()

    def wait_until(self, ready: Callable[[], bool], seconds: float = 90) -> None:
        """Return once `ready` says so. Raises `NotReadyError` where the program ends or the time is over."""
        end = time.monotonic() + seconds
        while not ready():
            if self._child.poll() is not None or time.monotonic() > end:
                message = f"{self.log.name}: not ready (exit code {self._child.poll()})\n{self.tail()}"
                raise NotReadyError(message)
            time.sleep(0.05)

    def tail(self, characters: int = 3000) -> str:
        """Return the end of what the program printed."""
        return self.log.read_text(encoding="utf-8", errors="replace")[-characters:]


def free_ports(count: int) -> list[int]:
    """Return ports on the loopback interface that nobody listens on, all different."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


def wait_for(condition: Callable[[], bool], what: str, seconds: float = 60) -> None:
    """Return once the condition holds. Raises `TimeoutError` with `what` where it never does."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.1)
