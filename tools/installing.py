"""Installs what a lock file names, with pip, and shows how far that is: the first time it takes a minute or more."""

import re
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

_PIP = ("-m", "pip", "install", "--disable-pip-version-check", "--progress-bar", "off", "--require-hashes", "--requirement")
_PIN = re.compile(r"^[A-Za-z0-9._-]+(?:\[.*\])?==", re.MULTILINE)
# What pip says once of each line of a lock file; the last is for another Python or another system.
_FOUND = ("Collecting ", "Requirement already satisfied: ", "Ignoring ")
_INSTALLING = "Installing collected packages: "
_LOOK_SECONDS = 0.2
# Where nothing can be wiped, in the log of a pipeline, a line now and then is enough.
_LINE_SECONDS = 10.0
_INTERRUPTED = 130


class Progress:
    """How far pip is: first it finds and fetches every package, then it installs them."""

    def __init__(self, pinned: int, installed: Callable[[], int]) -> None:
        """Take how many packages the lock file names, and what counts those that are installed."""
        self._pinned, self._found, self._installing = pinned, 0, 0
        self._installed, self._before = installed, installed()

    def note(self, lines: Iterable[str]) -> None:
        """Follow what pip says, to its end."""
        for line in lines:
            if line.startswith(_FOUND):
                self._found += 1
            elif line.startswith(_INSTALLING):
                self._installing = len(line.removeprefix(_INSTALLING).split(","))

    def __str__(self) -> str:
        """Return one line."""
        if not self._installing:
            return f"fetching: {self._found} of {self._pinned} packages"
        done = self._installed() - self._before
        return f"installing: {done} of {self._installing} packages" if done < self._installing else "finishing"


class Screen:
    """Shows a line that changes: in its place on a terminal, now and then elsewhere."""

    def __init__(self, *, is_terminal: bool, clock: Callable[[], float] = time.monotonic) -> None:
        """Take where it goes, and the clock."""
        self._is_terminal, self._clock = is_terminal, clock
        self._shown = clock()

    def show(self, progress: object) -> None:
        """Show how far it is."""
        if self._is_terminal:
            print(f"\r\x1b[K  {progress}", end="", flush=True)
        elif self._clock() - self._shown >= _LINE_SECONDS:
            self._shown = self._clock()
            print(f"  {progress}", flush=True)

    def wipe(self) -> None:
        """Leave no half line behind."""
        if self._is_terminal:
            print("\r\x1b[K", end="", flush=True)


def main(arguments: Sequence[str]) -> int:
    """Install the lock file that is named; return pip's exit code."""
    (lock,) = arguments
    folder = Path(sysconfig.get_path("purelib"))
    pinned = len(_PIN.findall(Path(lock).read_text(encoding="utf-8")))
    print(f"Installing {pinned} packages of {lock}; the first time takes a minute or two", flush=True)
    progress = Progress(pinned, lambda: sum(1 for _ in folder.glob("*.dist-info")))
    try:
        return _installed([sys.executable, *_PIP, lock], progress, Screen(is_terminal=sys.stdout.isatty()))
    except KeyboardInterrupt:
        return _INTERRUPTED


def _installed(command: Sequence[str], progress: Progress, screen: Screen) -> int:
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as pip:
        reader = threading.Thread(target=progress.note, args=(pip.stdout,))
        reader.start()
        try:
            while pip.poll() is None:
                screen.show(progress)
                time.sleep(_LOOK_SECONDS)
        finally:
            screen.wipe()
            reader.join()
    return pip.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
