"""What changes under the callers: servers restart, the leaf is renewed, the settings file is rewritten."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import trustme

from bench.soak.journal import Journal
from bench.soak.result import SoakError
from bench.soak.servers import SoakServer
from tests.server.mounted import MountedSecret

# Servers look at their files every two seconds; the rest is for a machine that does much else.
_NOTICED_SECONDS = 60.0
_LOOK_EVERY_SECONDS = 0.1
_GOOD = ("workloads: error", "workloads: warning\nlog:\n  level: info", "checks:\n  memory_step:\n    severity: error")
_BAD = (
    "workloads: sometimes",
    "wrklds: error",
    "workloads: [",
    "serve:\n  quiet_period: 5",
    "dialects: 3",
    "\x00",
    "serve: {cert: 1}\n---\n{}",
)


@dataclass(slots=True)
class Done:
    """How often something was changed, and how often a server took it up; `bad` are mistakes that a server kept out."""

    restarts: int = 0
    renewals: int = 0
    good: int = 0
    bad: int = 0
    problems: list[str] = field(default_factory=list)


class Changes:
    """Everything that is changed, one thread for each kind."""

    def __init__(self, servers: Sequence[SoakServer], secret: MountedSecret, ca: trustme.CA, settings: Path) -> None:
        """Take what is changed; the settings file and the Secret are there already."""
        self.done = Done()
        self._servers = servers
        self._journals = [Journal(server.log) for server in servers]
        self._secret, self._ca, self._settings = secret, ca, settings
        self._over = threading.Event()
        # A server does not start with a mistake in its settings, so none is started while there is one.
        self._settings_are_good = threading.Lock()

    def restart(self) -> None:
        """End the next server, wait until it has ended in peace, and start it again."""
        server = self._servers[self.done.restarts % len(self._servers)]
        code = server.stop()
        if code:
            message = f"a server that was asked to end did so with exit code {code}"
            raise SoakError(message)
        with self._settings_are_good:
            server.start()
        self.done.restarts += 1

    def renew(self) -> None:
        """Swap in a fresh leaf and wait until a new connection is shown it."""
        leaf = self._secret.issue(self._ca).split(b"-----END CERTIFICATE-----")[0].decode()
        self._wait(lambda: any(server.leaf().startswith(leaf) for server in self._servers), "no server shows the new leaf")
        self.done.renewals += 1

    def rewrite(self) -> None:
        """Write a mistake into the settings file, then other settings; wait each time until a server has told of it."""
        number = self.done.good
        with self._settings_are_good:
            self._write(_BAD[number % len(_BAD)], number, "settings not usable")
            self.done.bad += 1
            self._write(_GOOD[number % len(_GOOD)], number, "settings in force")
        self.done.good += 1

    def _write(self, text: str, number: int, event: str) -> None:
        before = self._told(event)
        self._settings.write_text(f"# {number}\n{text}\n", encoding="utf-8")
        self._wait(lambda: self._told(event) > before, f"no server has told '{event}' after: {text!r}")

    def _told(self, event: str) -> int:
        return sum(journal.count(event) for journal in self._journals)

    def _wait(self, happened: Callable[[], bool], otherwise: str) -> None:
        end = time.monotonic() + _NOTICED_SECONDS
        while not happened():
            if time.monotonic() > end:
                raise SoakError(otherwise)
            time.sleep(_LOOK_EVERY_SECONDS)

    @contextmanager
    def going_on(self, plan: Sequence[tuple[Callable[[], None], int, float]]) -> Iterator[Sequence[threading.Thread]]:
        """Do each part of the plan (what, how often, seconds between) in a thread of its own; yield the threads."""
        threads = [threading.Thread(target=self._repeat, args=part) for part in plan]
        for thread in threads:
            thread.start()
        try:
            yield threads
        finally:
            self._over.set()
            for thread in threads:
                thread.join()

    def _repeat(self, change: Callable[[], None], times: int, pause_seconds: float) -> None:
        for _ in range(times):
            if self._over.wait(pause_seconds):
                return
            try:
                change()
            except Exception as problem:  # noqa: BLE001 -- whatever it is, the soak is to tell of it and fail
                self.done.problems.append(str(problem))
                return
