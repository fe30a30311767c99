"""Bad guests visit a server while others call it: what they get, how soon, and what it costs the others."""

import asyncio
import json
import ssl
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from bench.soak.callers import Callers
from bench.soak.guests import GUESTS, Guest
from bench.soak.result import Result
from bench.soak.servers import SoakServer

_PATIENCE_SECONDS = 60.0
_MOST_SECONDS = 1.0
_MOST_GROWTH = 0.05
_JSON_ERROR = ["error"]


@dataclass(frozen=True, slots=True)
class Visit:
    """What a guest got: the status, 0 where the connection ended without one, the body, and after how many seconds."""

    guest: Guest
    status: int
    body: bytes
    seconds: float

    def problem(self, limits: Mapping[str, float]) -> str:
        """Say what is wrong with it, empty where nothing is; the time limits are in seconds."""
        most = limits.get(self.guest.waits_for, 0) + _MOST_SECONDS
        if self.status != self.guest.status:
            return f"{self.guest.name}: {self.status}, not {self.guest.status}"
        if self.seconds > most:
            return f"{self.guest.name}: after {self.seconds:.2f} s, not {most:g} s"
        keys = list(json.loads(self.body)) if self.body else []
        if self.status >= 400 and keys != _JSON_ERROR:
            return f"{self.guest.name}: {self.body[:200]!r} is no JSON error"
        return ""


async def visit(guest: Guest, port: int, context: ssl.SSLContext) -> Visit:
    """Let a guest call once."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context if guest.tls else None)
    start = time.monotonic()
    reading = asyncio.ensure_future(_answer(reader))
    try:
        with suppress(OSError):
            await _send(guest, writer, reading)
        async with asyncio.timeout(_PATIENCE_SECONDS):
            status, body = await reading
    finally:
        reading.cancel()
        writer.transport.abort()
        with suppress(OSError):
            await writer.wait_closed()
    return Visit(guest, status, body, time.monotonic() - start)


async def _send(guest: Guest, writer: asyncio.StreamWriter, reading: "asyncio.Future[tuple[int, bytes]]") -> None:
    for piece in guest.pieces():
        if isinstance(piece, bytes):
            writer.write(piece)
            await writer.drain()
        await asyncio.sleep(piece if isinstance(piece, float) else 0)
        if reading.done():
            return


async def _answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Return status and body of the first answer that is not provisional."""
    try:
        status = 100
        while status < 200:
            head = (await reader.readuntil(b"\r\n\r\n")).lower().split(b"\r\n")
            status = int(head[0].split()[1])
        length = next((int(line[15:]) for line in head if line.startswith(b"content-length:")), 0)
        return status, await reader.readexactly(length)
    except (OSError, asyncio.IncompleteReadError):
        return 0, b""


async def visits(port: int, context: ssl.SSLContext) -> list[Visit]:
    """Let every guest call once, one after the other but those that wait for a time limit: these at the same time."""
    slow = [asyncio.ensure_future(visit(guest, port, context)) for guest in GUESTS if guest.waits_for]
    swift = [await visit(guest, port, context) for guest in GUESTS if not guest.waits_for]
    return swift + list(await asyncio.gather(*slow))


def soak_visits(server: SoakServer, context: ssl.SSLContext, limits: Mapping[str, float], rounds: int) -> list[Result]:
    """Let all guests come so many times while others call."""
    callers, seen, found = Callers(server.port, context, pause_seconds=0.005), [], []
    with callers.calling(2, 0):
        for _ in range(rounds):
            found += asyncio.run(visits(server.port, context))
            seen.append(server.rss_kib())
            print(f"  {len(found):,} visits, {seen[-1] / 1024:.1f} MiB, {len(callers.kept.seconds):,} calls of others", flush=True)
    problems = [problem for one in found if (problem := one.problem(limits))]
    longest = max((one for one in found if not one.guest.waits_for), key=lambda one: one.seconds)
    growth, others = seen[-1] / seen[rounds // 3] - 1, callers.kept
    told = problems[0] if problems else f"the longest after {longest.seconds:.2f} s ({longest.guest.name})"
    memory = f"{seen[rounds // 3] / 1024:.1f} MiB after round {rounds // 3 + 1}, {seen[-1] / 1024:.1f} MiB at the end: {growth:+.1%}"
    return [
        Result(
            f"{len(found)} visits of {len(GUESTS)} kinds of bad guests", f"{len(problems)} not answered as documented; {told}", not problems
        ),
        Result("calls of others meanwhile", others.told, not others.failures and max(others.seconds) < _MOST_SECONDS),
        Result("memory over the visits", memory, growth <= _MOST_GROWTH),
    ]
