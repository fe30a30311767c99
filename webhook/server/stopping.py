"""How a server is told to stop."""

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any


class Signals:
    """SIGTERM and SIGINT: the first asks to stop, a second one to stop at once."""

    def __init__(self) -> None:
        """Listen to both, in the running loop."""
        self.asked = asyncio.Event()
        self.first = ""
        self._forced = asyncio.Event()
        self._last = signal.SIGTERM
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._note, number)

    def _note(self, number: signal.Signals) -> None:
        self._last = number
        if self.asked.is_set():
            self._forced.set()
        self.first = self.first or number.name
        self.asked.set()

    @property
    def exit_code(self) -> int:
        """Return 0 after a stop in peace, else what a shell says of a program that a signal ended."""
        if self._forced.is_set():
            return 128 + self._last
        return 128 + signal.SIGINT if self.first == "SIGINT" else 0

    async def forced_before(self, work: Coroutine[Any, Any, None]) -> None:
        """Do the work unless a second signal comes first."""
        task = asyncio.ensure_future(work)
        forced = asyncio.ensure_future(self._forced.wait())
        await asyncio.wait((task, forced), return_when=asyncio.FIRST_COMPLETED)
        forced.cancel()
        task.cancel()
