"""A log that is bounded: in memory, in a flood, and against a reader that has stopped reading."""

import io
import json
import logging
import threading
from typing import Any

from tests.server.process import PATIENCE_SECONDS, review_bytes
from tests.server.samples import KeptLog, desk_with, kept_logs
from webhook.server.logs import REPEATS_PER_MINUTE, LibraryLog, LogQueue, Logs, Sparing


class Clock:
    """A clock that a test sets."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_lines_are_written_in_order_and_all_of_them_before_the_end() -> None:
    stream = io.BytesIO()
    queue = LogQueue(stream)
    log = Logs("info", "json", queue).log
    for number in range(1000):
        log.info("line", number=number)
    queue.close(PATIENCE_SECONDS)
    assert [json.loads(line)["number"] for line in stream.getvalue().splitlines()] == list(range(1000))
    assert queue.dropped == 0


class Stuck(io.BytesIO):
    """A pipe whose reader has stopped reading, until it goes on."""

    def __init__(self) -> None:
        super().__init__()
        self.is_written_to = threading.Event()
        self.goes_on = threading.Event()

    def write(self, data: Any) -> int:
        self.is_written_to.set()
        assert self.goes_on.wait(PATIENCE_SECONDS)
        return super().write(data)


def test_a_reader_that_stops_reading_holds_up_nobody() -> None:
    """One line is with the reader, ten wait, and the rest is counted."""
    stream = Stuck()
    queue = LogQueue(stream, most_lines=10)
    log = Logs("info", "json", queue).log
    log.info("line", number=0)
    assert stream.is_written_to.wait(PATIENCE_SECONDS)
    for number in range(1, 101):
        log.info("line", number=number)
    assert queue.dropped == 90
    stream.goes_on.set()
    queue.close(PATIENCE_SECONDS)
    assert [json.loads(line)["number"] for line in stream.getvalue().splitlines()] == list(range(11))


def test_a_server_ends_although_nobody_reads_its_log() -> None:
    stream = Stuck()
    queue = LogQueue(stream)
    queue.msg("line")
    assert stream.is_written_to.wait(PATIENCE_SECONDS)
    queue.close(0.01)
    assert stream.getvalue() == b""
    stream.goes_on.set()


def test_a_level_leaves_out_what_is_below() -> None:
    kept = KeptLog()
    log = kept_logs(kept, "warning").log
    log.info("no")
    log.warning("yes")
    assert [line["event"] for line in kept.lines] == ["yes"]


def test_text_is_for_people() -> None:
    kept = KeptLog()
    kept_logs(kept, style="text").log.info("served", port=1)
    [text] = kept.texts
    assert "served" in text
    assert "port=1" in text
    assert not text.startswith("{")


def test_a_review_is_told_in_text_with_the_fields_of_its_json_line() -> None:
    desk, _, kept = desk_with()
    text = KeptLog()
    answer = desk.handler.respond("mutate", review_bytes("pod-create-volcengine-mutate"))
    desk.logs.tell(answer)
    kept_logs(text, style="text").tell(answer)
    [line] = kept.lines
    assert line["event"] in text.texts[0]
    for name in line.keys() - {"time", "level", "event"}:
        assert f"{name}=" in text.texts[0]


def test_a_line_break_in_a_value_makes_no_second_line() -> None:
    kept = KeptLog()
    kept_logs(kept).log.info("line", name='a\n{"event":"forged"}')
    assert "\n" not in kept.texts[0]


def test_what_anybody_can_provoke_is_written_ten_times_a_minute() -> None:
    kept, clock = KeptLog(), Clock()
    sparing = Sparing(kept_logs(kept).log, clock)
    for number in range(100):
        sparing.warning("review refused", number=number)
        sparing.warning("too late", number=number)
    assert len(kept.lines) == 2 * REPEATS_PER_MINUTE
    clock.now += 60
    sparing.warning("review refused", number=100)
    assert [line["suppressed"] for line in kept.lines if "suppressed" in line] == [90, 90]
    assert kept.lines[-1]["number"] == 100


def test_a_librarys_line_comes_without_its_arguments() -> None:
    kept = KeptLog()
    handler = LibraryLog(Sparing(kept_logs(kept).log))
    handler.handle(logging.LogRecord("uvicorn.error", logging.WARNING, "x.py", 1, "bad %s", ("s3cr3t",), None))
    [line] = kept.lines
    assert (line["event"], line["logger"], line["message"]) == ("library", "uvicorn.error", "bad %s")
