"""What changes under a running installation: its keeper of certificates is killed, its servers restart."""

import os
import random
import signal
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from tests.e2e.controlplane import ControlPlane
from tests.e2e.installed.installation import certs_process, server_process
from tests.e2e.processes import Process


class Keeper:
    """The keeper of certificates, killed at random moments and started again as a Deployment would."""

    def __init__(self, cluster: ControlPlane, flags: Sequence[str], chance: random.Random) -> None:
        self._cluster, self._flags, self._chance = cluster, flags, chance
        self.kills = 0
        self._running = ExitStack()
        self.process = self._start()
        self._until = 0.0

    def _start(self) -> Process:
        return self._running.enter_context(certs_process(self._cluster, *self._flags))

    def maybe_kill(self) -> None:
        """Kill it where its time has come."""
        now = time.monotonic()
        if now < self._until:
            return
        if self._until:
            os.kill(self.process.pid, signal.SIGKILL)
            self._running.close()
            self.process = self._start()
            self.kills += 1
        self._until = now + self._chance.uniform(1, 25)

    def stop(self) -> None:
        """End it."""
        self._running.close()


class Servers:
    """Two servers that are restarted in turn, one while the other serves."""

    def __init__(self, folder: Path, tls: Path, ports: list[tuple[int, int]]) -> None:
        self._how = [(folder, tls, *pair) for pair in ports]
        self._running = [self._start(number) for number in range(len(ports))]
        self.restarts = 0

    def _start(self, number: int) -> ExitStack:
        stack = ExitStack()
        stack.enter_context(server_process(*self._how[number]))
        return stack

    def restart_one(self) -> None:
        """End one server, wait for it, and start it again."""
        number = self.restarts % len(self._running)
        self._running[number].close()
        self._running[number] = self._start(number)
        self.restarts += 1

    def stop(self) -> None:
        """End them all."""
        for stack in self._running:
            stack.close()
