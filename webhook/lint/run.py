"""Checks files: reads, examines, locates."""

import os
from collections.abc import Callable, Iterable
from datetime import date
from operator import attrgetter

from webhook.core.engine import Engine
from webhook.core.finding import Finding
from webhook.core.walk import stage_of
from webhook.lint.chunks import BLOCK_BYTES, Chunk, cut, cut_text, is_utf16
from webhook.lint.document import Document
from webhook.lint.faults import DocumentError, position_of
from webhook.lint.left_out import SIGN, LeftOut
from webhook.lint.lines import Lines
from webhook.lint.locating import Locator, Mend
from webhook.lint.reading import read
from webhook.lint.rendered import Rendering
from webhook.lint.report import Report, Suppressed, Unreadable
from webhook.lint.sources import STDIN, Missing, stdin_descriptor
from webhook.lint.suppressions import MENTION, Suppressions

_TO_READ = os.O_RDONLY | os.O_CLOEXEC


class CheckFaultError(Exception):
    """percard itself failed on a document; the cause is chained."""


class Checker:
    """Checks one file after another with one engine."""

    def __init__(self, engine: Engine, today: date | None = None, *, mend: Mend | None = None) -> None:
        """Take the engine that examines, the day against which suppressions end, and what knows repairs where they are wanted."""
        self._engine = engine
        self._known = frozenset(check.id for check in engine.checks)
        self._today = today or date.today()  # noqa: DTZ011 - a date in a comment means the reader's own calendar
        self._rendering = Rendering()
        self._mend = mend
        self._left_out = LeftOut(engine)
        self._lines = Lines()
        self._buffer = memoryview(bytearray(BLOCK_BYTES))

    def check(self, sources: Iterable[str | Missing], seen: Callable[[int], None] = lambda _: None) -> Report:
        """Return the report on all sources; `seen` is told after each how many there were."""
        report = Report()
        for source in sources:
            if isinstance(source, Missing):
                report.files += 1
                report.unreadable.append(Unreadable(source.name, None, source.reason))
            else:
                self.check_file(source, report)
            seen(report.files)
        return report

    def check_file(self, name: str, report: Report) -> None:
        """Add what is found in a file, or on standard input, to the report."""
        report.files += 1
        try:
            descriptor = stdin_descriptor() if name == STDIN else os.open(name, _TO_READ)
        except OSError as error:
            report.unreadable.append(Unreadable(name, None, error.strerror or str(error)))
            return
        try:
            self._check_open(name, descriptor, report)
        except OSError as error:
            report.unreadable.append(Unreadable(name, None, error.strerror or str(error)))
        finally:
            if name != STDIN:
                os.close(descriptor)

    def check_bytes(self, name: str, data: bytes) -> Report:
        """Return the report on a file that is called `name` and holds `data`."""
        report = Report(files=1)
        note = self._rendering.note(name)
        if note is None:
            self._check_chunks(name, cut(data), report)
        else:
            report.notes[note] = None
        return report

    def left_to_others(self, name: str) -> bool:
        """Say whether another tool renders a file before it is a manifest."""
        return self._rendering.note(name) is not None

    def _check_open(self, name: str, descriptor: int, report: Report) -> None:
        first = _first_block(descriptor, self._buffer)
        is_small = len(first) < BLOCK_BYTES and not is_utf16(first)
        # Most files end here: without a backslash no mark can be hidden from a look at the bytes.
        is_plain = b"\\" not in first
        if is_small and is_plain and name != STDIN and not self._engine.mentions_marks(first):
            report.skipped += 1
            if SIGN in first:
                report.left_out.update(self._left_out.dialects(first))
            return
        whole = first.decode("utf-8", "replace") if is_small else None
        if whole is not None and not is_plain and name != STDIN and not self._engine.mentions_marks(whole):
            report.skipped += 1
        elif (note := self._rendering.note(name)) is not None:
            report.skipped += 1
            report.notes[note] = None
        elif whole is not None:
            self._check_chunks(name, cut_text(whole), report, thoroughly=True)
        else:
            with open(descriptor, "rb", closefd=False) as rest:
                self._check_chunks(name, cut(first, rest), report)

    def _check_chunks(self, name: str, chunks: Iterable[Chunk], report: Report, *, thoroughly: bool = False) -> None:
        """Check the documents with marks; `thoroughly` reads the others too, whose faults are then told."""
        # What is read whole was looked at before, unless it came from standard input.
        concerned = thoroughly and name != STDIN
        documents = 0
        left_out: set[str] = set()
        for chunk in chunks:
            marked = (thoroughly and concerned) or self._engine.mentions_marks(chunk.text)
            concerned = concerned or marked
            if not marked:
                left_out.update(self._left_out.dialects(chunk.text.encode()))
            if not chunk.is_empty:
                documents += self._check_chunk(name, documents, chunk, report) if marked or thoroughly else 1
        if left_out:
            report.left_out.update(left_out)
        if concerned:
            report.documents += documents
        else:
            report.skipped += 1

    def _check_chunk(self, name: str, index: int, chunk: Chunk, report: Report) -> int:
        """Add what is found in a chunk whose first document has this index; return how many it holds."""
        try:
            documents = list(read(chunk, self._lines))
        except DocumentError as error:
            place = position_of(chunk.text, error.index, error.index, chunk.line)
            report.unreadable.append(Unreadable(name, place, error.message))
            return 1
        for number, document in enumerate(documents, index):
            self._check_document(name, number, document, report)
        return len(documents)

    def _check_document(self, name: str, index: int, document: Document, report: Report) -> None:
        try:
            verdict = self._engine.examine(document.data, stage=stage_of(document.data))
        except Exception as error:
            message = f"percard failed on document {index} of {name}"
            raise CheckFaultError(message) from error
        views = [gpu.pod for gpu in verdict.pods]
        note = self._rendering.fragment_note(name, views)
        if note is not None:
            report.notes[note] = None
            return
        report.pods += len({view.root for view in views})
        if verdict.findings or MENTION in document.text:
            self._report(verdict.findings, Locator(name, index, document, self._mend), report)

    def _report(self, findings: Iterable[Finding], locator: Locator, report: Report) -> None:
        document = locator.document
        accepted = Suppressions(document, self._known, self._today) if MENTION in document.text else None
        found = []
        for finding in findings:
            span = document.span(finding.path.parts)
            reason = accepted.accept(finding, *span) if accepted else None
            located = locator.at(finding, *span)
            if reason is None:
                found.append(located)
            else:
                report.suppressed.append(Suppressed(located, "inSource", reason))
        if accepted:
            found += [locator.at(misuse.finding, misuse.start, misuse.end) for misuse in accepted.misuses()]
        if len(found) > 1:
            # Read from top to bottom, like the file.
            found.sort(key=attrgetter("position"))
        report.findings += found


def _first_block(descriptor: int, buffer: memoryview) -> bytes:
    """Return the beginning of a file, as much as the buffer takes; one buffer for all files saves most of the cost of reading."""
    length = more = os.readv(descriptor, [buffer])
    # A pipe gives less than was asked for before its end.
    while more and length < len(buffer):
        more = os.readv(descriptor, [buffer[length:]])
        length += more
    return bytes(buffer[:length])
