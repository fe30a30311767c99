"""Logs: structured lines that are queued in memory and written by a thread of their own."""

import logging
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, MutableMapping
from functools import partial
from typing import Any, BinaryIO

import structlog

from webhook.admission.line import as_fields, as_json, as_time, line_of
from webhook.admission.reply import Answer
from webhook.admission.wire import write_line

# A burst of this many lines is kept until the reader of the log has caught up, then lines are dropped and counted.
QUEUE_LINES = 20_000
# How long a line may wait for others that go out with it in one write.
FLUSH_SECONDS = 0.02
# A line that anybody can provoke is written this often a minute for each event, the rest is only counted.
REPEATS_PER_MINUTE = 10
MINUTE_SECONDS = 60.0

_LEVELS = ("debug", "info", "warning", "error")

Log = structlog.typing.FilteringBoundLogger
Event = MutableMapping[str, Any]


class LogQueue:
    """A bounded queue of lines; a reader of the log that stops reading holds up nobody but the log.

    Also the last link of structlog's chain: each of its methods takes one line, finished or to be finished by the
    thread. A hundred lines made one after the other take a fifth of what each takes between two requests.
    """

    def __init__(self, stream: BinaryIO, most_lines: int = QUEUE_LINES) -> None:
        """Start the thread that writes to `stream`; at most so many lines wait for it."""
        self.dropped = 0
        self._most_lines = most_lines
        self._stream = stream
        self._lines: deque[str | Callable[[], str]] = deque()
        self._cut = b""
        self._filled = threading.Event()
        self._closing = False
        self._thread = threading.Thread(target=self._write_all, name="log", daemon=True)
        self._thread.start()

    def msg(self, line: str | Callable[[], str]) -> None:
        """Queue a line, or count it where there is no room."""
        if len(self._lines) >= self._most_lines:
            self.dropped += 1
            return
        self._lines.append(line)
        if not self._filled.is_set():
            self._filled.set()

    debug = info = warning = error = critical = msg

    def close(self, seconds: float = 2.0) -> None:
        """Write what is queued, for at most so long."""
        self._closing = True
        self._filled.set()
        self._thread.join(seconds)

    def _write_all(self) -> None:
        while not (self._closing and not self._lines):
            self._filled.wait()
            if not self._closing:
                time.sleep(FLUSH_SECONDS)
            self._filled.clear()
            self._write(len(self._lines))

    def _write(self, count: int) -> None:
        lines = [self._lines.popleft() for _ in range(count)]
        text = "".join([f"{line if isinstance(line, str) else line()}\n" for line in lines])
        data, written = self._cut + text.encode(errors="backslashreplace"), 0
        try:
            while written < len(data):
                written += self._written(data[written:])
            self._stream.flush()
        except (OSError, ValueError):
            self._keep_the_cut_line(data, written)
        else:
            self._cut = b""

    def _written(self, data: bytes) -> int:
        """Return how much a stream without a buffer took of it; raises `OSError`."""
        taken = self._stream.write(data)
        if not taken:
            message = "the log takes no more"
            raise BlockingIOError(message)
        return taken

    def _keep_the_cut_line(self, data: bytes, written: int) -> None:
        """Keep the rest of a line whose beginning is written, so that it is a whole one later; count what is lost."""
        is_cut = data[written - 1 : written] != b"\n" if written else bool(self._cut)
        rest, _, lost = data[written:].partition(b"\n") if is_cut else (b"", b"", data[written:])
        self._cut = rest + b"\n" if is_cut else b""
        self.dropped += lost.count(b"\n")


class Logs:
    """The log of a server: lines of `level` and above, as JSON or as text for people.

    Most lines go through structlog. Those of reviews do not where they are JSON: there is one for each patched
    pod, and structlog's chain costs four times what writing a fixed set of fields does.
    """

    def __init__(self, level: str, style: str, queue: LogQueue) -> None:
        """Write to the queue."""
        text = style == "text"
        render = structlog.dev.ConsoleRenderer(colors=False, timestamp_key="time") if text else _as_json
        lazy = structlog.wrap_logger(queue, processors=[_stamped, render], wrapper_class=structlog.make_filtering_bound_logger(level))
        # Bound once here: structlog's lazy logger would bind anew for every line.
        self.log: Log = lazy.bind()
        self.sparing = Sparing(self.log)
        self._queue = queue
        self._tell = self._tell_as_text if text else self._tell_as_json
        self._levels = _LEVELS[_LEVELS.index(level) :]

    def tell(self, answer: Answer) -> None:
        """Tell of an answer: at `info` where there was something to say, else at `debug`."""
        level = "info" if answer.findings or answer.patch_operations else "debug"
        if level in self._levels:
            self._tell(answer, level)

    def _tell_as_json(self, answer: Answer, level: str) -> None:
        self._queue.msg(partial(as_json, line_of(answer, level), time.time()))

    def _tell_as_text(self, answer: Answer, level: str) -> None:
        line = line_of(answer, level)
        getattr(self.log, level)(line.event, **as_fields(line))


def stderr_queue() -> LogQueue:
    """Return a queue that writes to standard error, past every buffer: what cannot be written must be known at once."""
    stream = sys.__stderr__ or sys.stderr
    return LogQueue(getattr(stream.buffer, "raw", stream.buffer))


def is_watched() -> bool:
    """Say whether somebody reads the log on a terminal as it is written."""
    return sys.stderr.isatty()


def style_of(wanted: str) -> str:
    """Return how lines are written where the setting says `wanted`."""
    return wanted if wanted != "auto" else "text" if is_watched() else "json"


def _stamped(_: Any, level: str, event: Event) -> Event:
    return {"time": as_time(time.time()), "level": level, **event}


def _as_json(_: Any, __: str, event: Event) -> str:
    return write_line(event)


class Sparing:
    """Keeps a line that anybody can provoke from flooding the log."""

    def __init__(self, log: Log, clock: Callable[[], float] = time.monotonic) -> None:
        """Take the logger to write to."""
        self._log = log
        self._clock = clock
        self._minute = 0.0
        self._counts: dict[str, int] = {}

    def warning(self, event: str, **fields: Any) -> None:
        """Write the line unless the same event was written too often in this minute."""
        now = self._clock()
        if now - self._minute >= MINUTE_SECONDS:
            self._tell_suppressed()
            self._minute = now
        count = self._counts[event] = self._counts.get(event, 0) + 1
        if count <= REPEATS_PER_MINUTE:
            self._log.warning(event, **fields)

    def _tell_suppressed(self) -> None:
        more: Mapping[str, int] = {event: count - REPEATS_PER_MINUTE for event, count in self._counts.items() if count > REPEATS_PER_MINUTE}
        for event, count in more.items():
            self._log.warning(event, suppressed=count)
        self._counts.clear()


class LibraryLog(logging.Handler):
    """Brings what libraries log into percard's log: their constant message, never its arguments."""

    def __init__(self, log: Sparing) -> None:
        """Take the log; only warnings and errors come through."""
        super().__init__(logging.WARNING)
        self._sparing = log

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record's constant part and the type of its exception."""
        kind = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else None
        self._sparing.warning("library", logger=record.name, message=str(record.msg).strip(), exception=kind)
