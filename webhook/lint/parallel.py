"""Checks files in several processes, with the same report as in one."""

import multiprocessing
import signal
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import islice
from multiprocessing.connection import Connection

from webhook.lint.report import Report
from webhook.lint.run import Checker
from webhook.lint.sources import STDIN, Missing

# Files that a process takes at a time: enough to hide the cost of a message, few enough to share evenly.
_BATCH_FILES = 64

Batch = Sequence[str | Missing]


class WorkerLostError(Exception):
    """A process that checked files ended before it was done."""


def check_all(checker: Checker, sources: Iterable[str | Missing], jobs: int, seen: Callable[[int], None]) -> Report:
    """Return the report on all sources, in their order; `seen` is told now and then how many are done.

    Raises what checking raises, from whichever process.
    """
    # Standard input belongs to this process.
    batches = list(_batches(sources)) if jobs > 1 else []
    if len(batches) <= 1 or any(STDIN in batch for batch in batches):
        return checker.check((source for batch in batches for source in batch) if batches else sources, seen)
    return _merged(checker, batches, min(jobs, len(batches)), seen)


def _batches(sources: Iterable[str | Missing]) -> Iterable[Batch]:
    iterator = iter(sources)
    while batch := list(islice(iterator, _BATCH_FILES)):
        yield batch


def _merged(checker: Checker, batches: Sequence[Batch], jobs: int, seen: Callable[[int], None]) -> Report:
    # Forked, the workers have the engine already; nothing has to be loaded or sent to them.
    context = multiprocessing.get_context("fork")
    pipes = []
    workers = []
    for number in range(jobs):
        receiver, sender = context.Pipe(duplex=False)
        pipes.append(receiver)
        worker = context.Process(target=_work, args=(checker, batches[number::jobs], sender, pipes), daemon=True)
        worker.start()
        sender.close()
        workers.append(worker)
    try:
        return _received(pipes, len(batches), seen)
    finally:
        for worker in workers:
            worker.terminate()
            worker.join()


def _work(checker: Checker, batches: Sequence[Batch], sender: Connection, inherited: Sequence[Connection]) -> None:
    # Ctrl-C reaches the whole group; only the parent speaks.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Open here as well, they would keep this process waiting for a parent that was killed.
    for receiver in inherited:
        receiver.close()
    with suppress(BrokenPipeError):
        for batch in batches:
            part = _checked(checker, batch)
            sender.send(part)
            if isinstance(part, Exception):
                return


def _checked(checker: Checker, batch: Batch) -> Report | Exception:
    try:
        return checker.check(batch)
    except Exception as error:  # noqa: BLE001 - the parent raises it
        return error


def _received(pipes: Sequence[Connection], batches: int, seen: Callable[[int], None]) -> Report:
    report = Report()
    for number in range(batches):
        try:
            part = pipes[number % len(pipes)].recv()
        except EOFError:
            message = "a process of -j was ended from outside, as happens where memory runs out; use fewer"
            raise WorkerLostError(message) from None
        if isinstance(part, Exception):
            raise part
        report.add(part)
        seen(report.files)
    return report
