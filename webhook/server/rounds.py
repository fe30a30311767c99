"""Rounds that come every so often, and for how long before one of them the process did not run."""

import asyncio
import time
from collections.abc import AsyncIterator

# Any event loop is late by some milliseconds; from here on the process was stopped, starved or suspended.
_SHORTEST_STALL_SECONDS = 1.0


async def rounds(seconds: float) -> AsyncIterator[tuple[float, float]]:
    """Yield the time (monotonic) every so many seconds, for ever, and the length of a stall that came before.

    What clients sent during a stall waits in the sockets, but the clock has gone on: whoever measures how long a client
    takes must leave out the time in which nobody looked.
    """
    before = time.monotonic()
    while True:
        await asyncio.sleep(seconds)
        now = time.monotonic()
        late = now - before - seconds
        yield now, late if late >= _SHORTEST_STALL_SECONDS else 0.0
        before = now
