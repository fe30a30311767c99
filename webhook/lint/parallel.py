"""Checks files in several processes, with the same report as in one."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
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
    others = [_start(checker, batches, numbers) for _ in range(min(jobs, len(batches)) - 1)]
    try:
        reports = _checked(checker, batches, numbers, seen)
        for _, receiver in others:
            reports += _received(receiver)
    finally:
        os.close(numbers)
        for worker, _ in others:
            worker.terminate()
            worker.join()
    whole = Report()
    for _, report in sorted(reports, key=lambda pair: pair[0]):
        whole.add(report)
    seen(whole.files)
    return whole


def _start(checker: Checker, batches: Sequence[Batch], numbers: int) -> tuple[BaseProcess, Connection]:
    # Forked, the workers have the engine already; nothing has to be loaded or sent to them.
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    worker = context.Process(target=_work, args=(checker, batches, numbers, sender), daemon=True)
    worker.start()
    sender.close()
    return worker, receiver


def _work(checker: Checker, batches: Sequence[Batch], numbers: int, sender: Connection) -> None:
    # Ctrl-C reaches the whole group; only the parent speaks.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        sender.send(_checked(checker, batches, numbers, lambda _: None))
    except Exception as error:  # noqa: BLE001 - the parent raises it
        sender.send(error)


def _checked(checker: Checker, batches: Sequence[Batch], numbers: int, seen: Callable[[int], None]) -> Reports:
    """Check batches as long as there are any, and tell how many files were taken by all."""
    reports = []
    while taken := os.read(numbers, _NUMBER_BYTES):
        number = int.from_bytes(taken)
        reports.append((number, checker.check(batches[number])))
        seen(sum(map(len, batches[:number])))
    return reports


def _received(receiver: Connection) -> Reports:
    reports = receiver.recv()
    if isinstance(reports, Exception):
        raise reports
    return list(reports)
