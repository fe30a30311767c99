"""What the system grants this process: file descriptors, and with them connections, and time to run."""

import errno
import os
import resource
from contextlib import suppress

from webhook.server.listener import PATROL_SECONDS
from webhook.server.logs import Logs
from webhook.server.rounds import rounds

# For what is no connection of the TLS port: sockets that listen, the event loop, the log, files that are read again, the
# ops port, connections that are being refused, and handshakes under way.
_RESERVED = 1024
# More than kubelets and scrapers need, so that nobody keeps them out easily, and less than what is reserved.
OPS_CONNECTIONS = 512
# They come with a new connection, or can do so: whoever only holds one is not waited for.
OPS_IDLE_SECONDS = 10.0


class Resources:
    """Asks for what a server needs, and tells when it runs short. `connections` is how many the TLS port may have at a time."""

    def __init__(self, wanted_connections: int, logs: Logs) -> None:
        """Ask for as many file descriptors as so many connections need; fewer are told."""
        limit = _raised_limit(wanted_connections + _RESERVED)
        self.connections = min(wanted_connections, max(limit - _RESERVED, limit // 2))
        self._logs = logs
        self._used_up = False
        if self.connections < wanted_connections:
            logs.log.warning("fewer connections than serve.max_connections", connections=self.connections, file_descriptors=limit)

    async def patrol(self) -> None:
        """Look now and then, for ever."""
        async for _, stalled in rounds(PATROL_SECONDS):
            self.look(stalled)

    def look(self, stalled: float) -> None:
        """Tell of a stall of so many seconds, and once each when descriptors are used up and when they are not any more.

        The event loop cuts connections that it has no descriptor for, without a word.
        """
        if stalled:
            self._logs.sparing.warning("stalled", seconds=round(stalled, 1), consequence="time limits of clients are extended by that")
        used_up = not _one_to_spare()
        if used_up and not self._used_up:
            self._logs.sparing.warning("file descriptors used up", consequence="new connections are cut, open ones are served")
        elif self._used_up and not used_up:
            self._logs.sparing.warning("file descriptors free again")
        self._used_up = used_up


def _raised_limit(wanted: int) -> int:
    """Return how many descriptors this process may have, after asking for so many.

    Programs are often started with 1024, for the sake of those that use select(); the kernel would let them have more.
    """
    soft, hard = (wanted if limit == resource.RLIM_INFINITY else limit for limit in resource.getrlimit(resource.RLIMIT_NOFILE))
    if soft >= wanted:
        return soft
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard), resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def _one_to_spare() -> bool:
    try:
        os.close(os.open(os.devnull, os.O_RDONLY))
    except OSError as problem:
        return problem.errno not in {errno.EMFILE, errno.ENFILE}
    return True
