"""Checks files in several processes, with the same report as in one."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from webhook.lint.report import Report
from webhook.lint.run import Checker
from webhook.lint.sources import STDIN, Missing

# Files that a process takes at a time: few enough to share evenly.
_BATCH_FILES = 64
_NUMBER_BYTES = 4
# A pipe takes the numbers of so many at once, however little it is given (pipe(7): 4096 bytes at the least).
_MOST_BATCHES = 1_000

Batch = Sequence[str | Missing]
Reports = list[tuple[int, Report]]


class WorkerLostError(Exception):
    """A process that checked files ended before it was done."""


def check_all(checker: Checker, sources: Iterable[str | Missing], jobs: int, seen: Callable[[int], None]) -> Report:
    """Return the report on all sources, in their order; `seen` is told now and then how many are done.

    Raises what checking raises, from whichever process.
    """
    known = list(sources) if jobs > 1 else sources
    # Standard input belongs to this process.
    if isinstance(known, list) and len(known) > _BATCH_FILES and STDIN not in known:
        return _merged(checker, list(_batches(known)), jobs, seen)
    return checker.check(known, seen)


def _batches(sources: Batch) -> Iterator[Batch]:
    size = max(_BATCH_FILES, -(-len(sources) // _MOST_BATCHES))
    iterator = iter(sources)
    while batch := list(islice(iterator, size)):
        yield batch


def _merged(checker: Checker, batches: Sequence[Batch], jobs: int, seen: Callable[[int], None]) -> Report:
    """Share the batches out among this process and others: whoever is done with one takes the next number from the pipe."""
    numbers, writer = os.pipe()
    os.write(writer, b"".join(number.to_bytes(_NUMBER_BYTES) for number in range(len(batches))))
    os.close(writer)
    receivers: list[Connection] = []
    others = [_start(checker, batches, numbers, receivers) for _ in range(min(jobs, len(batches)) - 1)]
    try:
        reports = _checked(checker, batches, numbers, seen)
        for receiver in receivers:
            reports += _received(receiver)
    finally:
        os.close(numbers)
        for worker in others:
            worker.terminate()
            worker.join()
    whole = Report()
    for _, report in sorted(reports, key=lambda pair: pair[0]):
        whole.add(report)
    seen(whole.files)
    return whole


def _start(checker: Checker, batches: Sequence[Batch], numbers: int, receivers: list[Connection]) -> BaseProcess:
    # Forked, the workers have the engine already; nothing has to be loaded or sent to them.
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    receivers.append(receiver)
    worker = context.Process(target=_work, args=(checker, batches, numbers, sender, receivers), daemon=True)
    worker.start()
    sender.close()
    return worker


def _work(checker: Checker, batches: Sequence[Batch], numbers: int, sender: Connection, inherited: Sequence[Connection]) -> None:
    # Ctrl-C reaches the whole group; only the parent speaks.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Open here as well, they would keep this process waiting for a parent that was killed.
    for receiver in inherited:
        receiver.close()
    with suppress(BrokenPipeError):
        try:
            sender.send(_checked(checker, batches, numbers, _stop_without(multiprocessing.parent_process())))
        except BrokenPipeError:
            raise
        except Exception as error:  # noqa: BLE001 - the parent raises it
            sender.send(error)


def _stop_without(parent: BaseProcess | None) -> Callable[[int], None]:
    """Return what ends a worker between two batches once nobody waits for it."""

    def look(_: int) -> None:
        if parent is not None and not parent.is_alive():
            raise BrokenPipeError

    return look


def _checked(checker: Checker, batches: Sequence[Batch], numbers: int, seen: Callable[[int], None]) -> Reports:
    """Check batches as long as there are any, and tell how many files were taken by all."""
    reports = []
    while taken := os.read(numbers, _NUMBER_BYTES):
        number = int.from_bytes(taken)
        reports.append((number, checker.check(batches[number])))
        seen(sum(map(len, batches[:number])))
    return reports


def _received(receiver: Connection) -> Reports:
    try:
        reports = receiver.recv()
    except EOFError:
        message = "a process of -j was ended from outside, as happens where memory runs out; use fewer"
        raise WorkerLostError(message) from None
    if isinstance(reports, Exception):
        raise reports
    return list(reports)
