"""A listening socket with its connections: opened, watched and closed without uvicorn's own life cycle.

uvicorn closes all connections within 50 ms of SIGTERM and knows no time limit for a head, a body or a TLS
handshake; its HTTP protocol is what is used of it.
"""

import asyncio
import errno
import socket
import ssl
import time
from typing import Any

import uvicorn
from uvicorn.server import ServerState

from webhook.server.asgi import App
from webhook.server.connection import Connection
from webhook.server.gate import Gate
from webhook.server.protocol import protocol_for
from webhook.server.rounds import rounds

_BACKLOG = 2048
# How often slow connections are looked for; their time limits are met to within this.
PATROL_SECONDS = 0.25
_STEP_SECONDS = 0.02


class CannotListenError(Exception):
    """An address cannot be listened on; the text says which and why."""


def bound_socket(host: str, port: int, option: str) -> socket.socket:
    """Return a bound socket that does not listen yet, so that its port is known and clients are refused.

    Raises `CannotListenError`; `option` is that of the command line which names another port.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        sock.bind((host, port))
    except OSError as problem:
        sock.close()
        remedy = f"; name another with {option}, 0 for any free one" if problem.errno == errno.EADDRINUSE else ""
        message = f"cannot listen on {host} port {port}: {problem.strerror}{remedy}"
        raise CannotListenError(message) from None
    sock.setblocking(False)  # noqa: FBT003 - the standard library's signature
    return sock


class Listener:
    """One port and its connections."""

    def __init__(self, sock: socket.socket, gate: Gate, app: App) -> None:
        """Take a bound socket, what its connections share, and the application behind them."""
        self.port: int = sock.getsockname()[1]
        self._socket = sock
        self._gate = gate
        self._state = ServerState()
        self._server: asyncio.Server | None = None
        self._config = uvicorn.Config(
            app,
            http=protocol_for(gate),
            ws="none",
            interface="asgi3",
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            date_header=False,
            timeout_keep_alive=round(gate.limits.idle_seconds),
        )
        self._config.load()

    async def open(self, context: ssl.SSLContext | None = None) -> None:
        """Listen, with TLS where there is a context."""
        timeout = self._gate.limits.head_seconds if context else None
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            self._connection, sock=self._socket, ssl=context, backlog=_BACKLOG, ssl_handshake_timeout=timeout, ssl_shutdown_timeout=timeout
        )

    def _connection(self) -> Connection:
        protocol: Any = self._config.http_protocol_class
        connection: Connection = protocol(config=self._config, server_state=self._state, app_state={})
        return connection

    async def patrol(self) -> None:
        """Look after slow and idle connections, for ever."""
        async for now, stalled in rounds(PATROL_SECONDS):
            for connection in self._connections():
                connection.excuse(now, stalled)
                connection.expire(now)

    def _connections(self) -> list[Connection]:
        return [connection for connection in self._state.connections if isinstance(connection, Connection)]

    async def close(self, seconds: float) -> None:
        """Accept no more, close what is idle, wait at most so long for what is under way."""
        if self._server is None:
            self._socket.close()
            return
        self._server.close()
        over = time.monotonic() + seconds
        while (open_ones := self._connections()) and time.monotonic() < over:
            for connection in open_ones:
                connection.shutdown()
            await asyncio.sleep(_STEP_SECONDS)
        for connection in self._connections():
            connection.transport.abort()
