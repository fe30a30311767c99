"""What a Service does: sends each new connection to one of the servers that are ready."""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count

from tests.e2e.installed.installation import is_ready

_LOOK_EVERY_SECONDS = 0.2
_CHUNK_BYTES = 1 << 16


class Balancer:
    """Servers as (TLS port, ops port), and those of them that were ready when last looked at."""

    def __init__(self, servers: Sequence[tuple[int, int]]) -> None:
        self._servers = servers
        self._turns = count()
        self._ready: list[int] = []

    def look(self) -> None:
        """See who is ready."""
        self._ready = [port for port, ops_port in self._servers if is_ready(ops_port)]

    async def serve(self, client: asyncio.StreamReader, answer: asyncio.StreamWriter) -> None:
        """Carry one connection."""
        ready = self._ready
        if not ready:
            answer.close()
            return
        reader, writer = await asyncio.open_connection("127.0.0.1", ready[next(self._turns) % len(ready)])
        try:
            await asyncio.gather(_carry(client, writer), _carry(reader, answer))
        finally:
            for sink in (writer, answer):
                sink.transport.abort()


async def _carry(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await source.read(_CHUNK_BYTES):
            sink.write(data)
            await sink.drain()
    with suppress(ConnectionError, RuntimeError):
        sink.close()


@contextmanager
def balanced(port: int, servers: Sequence[tuple[int, int]]) -> Iterator[Balancer]:
    """Listen on a port for the servers while the block runs."""
    balancer, loop = Balancer(servers), asyncio.new_event_loop()
    ending = asyncio.Event()
    listening = threading.Event()

    async def run() -> None:
        server = await asyncio.start_server(balancer.serve, "127.0.0.1", port)
        listening.set()
        while not ending.is_set():
            await asyncio.to_thread(balancer.look)
            with suppress(TimeoutError):
                await asyncio.wait_for(ending.wait(), _LOOK_EVERY_SECONDS)
        server.close()
        carrying = asyncio.all_tasks() - {asyncio.current_task()}
        for task in carrying:
            task.cancel()
        # Once more round the loop, so that every socket is closed before it ends.
        await asyncio.gather(*carrying, return_exceptions=True)
        await asyncio.sleep(0)

    thread = threading.Thread(target=loop.run_until_complete, args=(run(),))
    thread.start()
    listening.wait()
    try:
        yield balancer
    finally:
        loop.call_soon_threadsafe(ending.set)
        thread.join()
        loop.close()
