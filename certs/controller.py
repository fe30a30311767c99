"""Keeps the certificates of a cluster's installation true: reads, decides, writes, waits."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from certs.controller_decide import Observed, Policy, Publish, Wait, Write, decide
from certs.controller_state import Stored
from certs.errors import CertificateError, ConflictError

# More steps in a row than a rotation has mean that somebody undoes each of them; then it is better to pause.
_MOST_STEPS = 12
# Two writers that overwrite each other must not do so as fast as they can.
_PAUSE_SECONDS = 1.0
_FIRST_RETRY_SECONDS = 1.0
_LAST_RETRY_SECONDS = 60.0
# The wall clock is asked this often at least: a machine that was suspended does not notice how long.
_LONGEST_SLEEP_SECONDS = 60.0

Clock = Callable[[], float]


class World(Protocol):
    """What the controller reads and writes."""

    def read(self, now: float) -> Observed:
        """Return what is there."""

    def write(self, stored: Stored) -> None:
        """Write the Secret."""

    def publish(self, configuration: str, bundle: bytes) -> None:
        """Write caBundle of a configuration."""


class Log(Protocol):
    """Where the controller tells what it does."""

    def info(self, event: str, **fields: object) -> None:
        """Tell what was done."""

    def warning(self, event: str, **fields: object) -> None:
        """Tell what went wrong."""


class Controller:
    """One controller; `changed` wakes it up."""

    def __init__(self, world: World, policy: Policy, log: Log, clock: Clock = time.time) -> None:
        """Take what to keep true, and how."""
        self._world = world
        self._policy = policy
        self._log = log
        self._clock = clock
        self._changed = threading.Event()

    def changed(self) -> None:
        """Look again soon."""
        self._changed.set()

    def settle(self) -> float:
        """Do all that is to be done; return when to look again. Raises `CertificateError`."""
        for _ in range(_MOST_STEPS):
            now = self._clock()
            action = decide(self._world.read(now), self._policy, now)
            if isinstance(action, Wait):
                return action.until
            # Where somebody wrote in between, the next round reads what.
            with suppress(ConflictError):
                self._carry_out(action)
        self._log.warning("every step is undone or refused", steps=_MOST_STEPS)
        return self._clock() + _LAST_RETRY_SECONDS

    def _carry_out(self, action: Write | Publish) -> None:
        if isinstance(action, Write):
            self._world.write(action.stored)
            self._log.info("secret written", why=action.why)
            return
        for configuration in action.configurations:
            self._world.publish(configuration, action.bundle)
            self._log.info("caBundle written", configuration=configuration, why=action.why)

    def run(self, stopping: threading.Event) -> None:
        """Keep everything true until told to stop."""
        retry = _FIRST_RETRY_SECONDS
        while not stopping.is_set():
            self._changed.clear()
            try:
                until = self.settle()
                retry = _FIRST_RETRY_SECONDS
            except CertificateError as problem:
                self._log.warning("will try again", problem=str(problem), seconds=retry)
                until = self._clock() + retry
                retry = min(2 * retry, _LAST_RETRY_SECONDS)
            self._sleep(until, stopping)

    def _sleep(self, until: float, stopping: threading.Event) -> None:
        """Wait for a moment, for a change, for a clock that is set back or for the end, and a short while in any case."""
        latest = now = self._clock()
        while not stopping.is_set() and not self._changed.is_set() and latest <= now < until:
            self._changed.wait(min(until - now, _LONGEST_SLEEP_SECONDS))
            latest, now = now, self._clock()
        stopping.wait(_PAUSE_SECONDS)
