"""Connections that lie idle all at once are still good for a call."""

import asyncio
import ssl
import time
from collections.abc import Sequence
from contextlib import suppress

from bench import bodies
from bench.soak.callers import Question
from bench.soak.result import Result

_HEAD = b"POST %b HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
_PATIENCE_SECONDS = 60.0


class _Line:
    """One connection."""

    def __init__(self, number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._number = number
        self._reader, self._writer = reader, writer
        self._question = Question.about("/mutate?timeout=10s", bodies.patched(), lambda response: "patch" in response)

    async def call(self) -> str:
        """Call once; return what went wrong, empty where nothing did."""
        uid = b"idle-%d" % self._number
        body = uid.join(self._question.parts)
        self._writer.write(_HEAD % (self._question.path.encode(), len(body)) + body)
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                head = await self._reader.readuntil(b"\r\n\r\n")
                length = next(int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
                answer = await self._reader.readexactly(length)
        except (OSError, asyncio.IncompleteReadError, TimeoutError) as problem:
            return repr(problem)
        good = head.startswith(b"HTTP/1.1 200 ") and uid in answer and b"connection: close" not in head.lower()
        return "" if good else head.decode(errors="replace")

    async def close(self) -> None:
        """End the connection, and wait until its socket is closed: the loop may end right after."""
        self._writer.transport.abort()
        with suppress(OSError):
            await self._writer.wait_closed()


async def _run(port: int, context: ssl.SSLContext, count: int, spans: Sequence[tuple[float, float]]) -> list[list[str]]:
    lines = [_Line(number, *await asyncio.open_connection("127.0.0.1", port, ssl=context)) for number in range(count)]
    problems = [[problem for line in lines if (problem := await line.call())]]
    for least, most in spans:
        begin = time.monotonic()
        problems.append(
            [
                problem
                for problem in await asyncio.gather(
                    *(_after(line, least + (most - least) * part / count) for part, line in enumerate(lines))
                )
                if problem
            ]
        )
        print(f"  {count} connections after {least:g} to {most:g} s ({time.monotonic() - begin:.1f} s passed)", flush=True)
    await asyncio.gather(*(line.close() for line in lines))
    return problems


async def _after(line: _Line, seconds: float) -> str:
    await asyncio.sleep(seconds)
    return await line.call()


def soak_idle(port: int, context: ssl.SSLContext, count: int, spans: Sequence[tuple[float, float]]) -> list[Result]:
    """Open so many connections, leave them idle for each span (least, most seconds), and call on all of them after each."""
    problems = asyncio.run(_run(port, context, count, spans))
    names = ["at first", *(f"idle for {least:g}-{most:g} s" if least < most else f"idle for {least:g} s" for least, most in spans)]
    return [
        Result(f"{count} connections, {name}", f"{count - len(bad)} good{': ' + bad[0] if bad else ''}", not bad)
        for name, bad in zip(names, problems, strict=True)
    ]
