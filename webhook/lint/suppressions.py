"""Comments that accept a finding: `# percard: ignore[memory-step] until 2027-03-01 -- why`.

A comment counts for the line that it is on, or for the next one where it stands alone; above the first
line of a document it counts for all of it. A reason must be given, and a date may be: after it the
finding comes back. What accepts nothing any more is a finding itself.
"""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from datetime import date
from difflib import get_close_matches
from typing import NamedTuple

from webhook.core.fieldpath import FieldPath, printable
from webhook.core.finding import INVALID, Finding, Severity
from webhook.lint.document import Document
from webhook.lint.faults import Breaks

CHECK = "suppression"
# What a text must hold for a comment of percard to be in it.
MENTION = "percard:"
_COMMENT = re.compile(r"(?:^|(?<=\s))#\s*percard:[^\n]*", re.MULTILINE)
_WELL_FORMED = re.compile(
    r"#\s*percard:\s*ignore\[(?P<checks>[A-Za-z0-9_, -]+)\](?:\s+until\s+(?P<until>\S+))?\s+--\s+(?P<reason>\S[^\n]*?)\s*"
)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
# What a comment lacks, by the first of these that it does not hold.
_PARTS = (
    (re.compile(r"ignore\s*\["), "must name the checks that it accepts"),
    (re.compile(r"\s--\s+\S"), "must give a reason behind '--'"),
)
_EXAMPLE = "write '# percard: ignore[memory-step] until 2027-03-01 -- why', the date only where it should end"


class Suppression(NamedTuple):
    """One comment: the line of the text (from 0) for which it accepts `checks`, all lines where `line` is None."""

    start: int
    end: int
    line: int | None
    checks: frozenset[str]
    until: date | None
    reason: str


class Misuse(NamedTuple):
    """What is wrong with a comment, as a finding, and its range in the text."""

    finding: Finding
    start: int
    end: int


class Suppressions:
    """The comments of one document, and which of them were needed."""

    def __init__(self, document: Document, known: Collection[str], today: date) -> None:
        """Find the comments; `known` are the ids of all checks."""
        self._text = document.text
        self._breaks = document.breaks
        self._scopes = Scopes(document.text, document.breaks)
        self._today = today
        self._used: set[Suppression] = set()
        self._misuses: list[Misuse] = []
        self._found = [found for match in _comments(document) if (found := self._read(match, known))]
        self._of_all = [found for found in self._found if found.line is None]
        self._by_line: dict[int, list[Suppression]] = {}
        for found in self._found:
            if found.line is not None:
                self._by_line.setdefault(found.line, []).append(found)

    def accept(self, finding: Finding, start: int, end: int) -> str | None:
        """Return the reason for which a finding in `text[start:end]` is accepted, None where it is not."""
        for found in self._touching(self._breaks.line(start), self._breaks.line(end)):
            if finding.check in found.checks:
                self._used.add(found)
                if found.until is None or found.until >= self._today:
                    return found.reason
        return None

    def _touching(self, first: int, last: int) -> Iterator[Suppression]:
        yield from self._of_all
        if len(self._by_line) < last - first:
            yield from (found for line, all_here in self._by_line.items() if first <= line <= last for found in all_here)
        else:
            yield from (found for line in range(first, last + 1) for found in self._by_line.get(line, ()))

    def misuses(self) -> Iterator[Misuse]:
        """Yield the comments that are malformed, out of date, or accept nothing."""
        yield from self._misuses
        for found in self._found:
            span = (found.start, found.end)
            if found.until is not None and found.until < self._today:
                yield _misuse("warning", self._text, span, f"ended on {found.until}", "repair the manifest, or set a later date")
            elif found not in self._used:
                checks = ", ".join(sorted(found.checks))
                yield _misuse("warning", self._text, span, f"accepts nothing: there is no finding of {checks}", "remove the comment")

    def _read(self, match: re.Match[str], known: Collection[str]) -> Suppression | None:
        parsed = _WELL_FORMED.fullmatch(match[0])
        if parsed is None:
            lacks = next((message for part, message in _PARTS if not part.search(match[0])), "must name its checks and a reason")
            self._refuse(match, lacks, _EXAMPLE)
            return None
        # Settings spell the ids of checks with underscores.
        checks = frozenset(filter(None, re.split(r"[,\s]+", parsed["checks"].lower().replace("_", "-"))))
        unknown = sorted(checks - set(known))
        if unknown:
            close = get_close_matches(unknown[0], sorted(known), n=1)
            hint = f"write {close[0]}, if that was meant; `percard checks` lists all" if close else "`percard checks` lists them"
            self._refuse(match, f"must name checks that exist, not '{unknown[0]}'", hint)
            return None
        try:
            until = _day(parsed["until"]) if parsed["until"] else None
        except ValueError:
            self._refuse(match, f"must name a day that exists, such as 2027-03-01, not '{printable(parsed['until'])}'", _EXAMPLE)
            return None
        return Suppression(*match.span(), self._scopes.line_for(match), checks, until, parsed["reason"])

    def _refuse(self, match: re.Match[str], message: str, hint: str) -> None:
        self._misuses.append(_misuse("error", self._text, match.span(), message, hint))


def _day(text: str) -> date:
    if not _DAY.fullmatch(text):
        raise ValueError
    return date.fromisoformat(text)


def _comments(document: Document) -> Iterable[re.Match[str]]:
    """Return the comments of percard; what stands inside a scalar is none."""
    scalars = sorted(document.scalars())
    starts = [start for start, _ in scalars]

    def is_inside(index: int) -> bool:
        before = bisect_right(starts, index)
        return before > 0 and index < scalars[before - 1][1]

    return [match for match in _COMMENT.finditer(document.text) if not is_inside(match.start())]


class Scopes:
    """Which line each comment of a text is for."""

    def __init__(self, text: str, breaks: Breaks) -> None:
        """Read the text line by line, once for all comments."""
        self._text, self._breaks = text, breaks
        lines = [line.strip() for line in text.split("\n")]
        self._first = next((number for number, line in enumerate(lines) if line and not line.startswith("#")), len(lines))
        # Of each line the next one, or itself, that is no comment.
        self._after = list(range(len(lines) + 1))
        for number in range(len(lines) - 1, -1, -1):
            if lines[number].startswith("#"):
                self._after[number] = self._after[number + 1]

    def line_for(self, comment: re.Match[str]) -> int | None:
        """Return the line, from 0, None for the whole document."""
        line = self._breaks.line(comment.start())
        if self._text[self._text.rfind("\n", 0, comment.start()) + 1 : comment.start()].strip():
            return line
        # Comments may stand one above the other.
        return None if line < self._first else self._after[line + 1]


def _misuse(severity: Severity, text: str, span: tuple[int, int], message: str, hint: str) -> Misuse:
    written = printable(text[slice(*span)])
    finding = Finding(
        check=CHECK,
        severity=severity,
        reason=INVALID,
        path=FieldPath(()),
        value=written,
        message=f"'{written}' {message}",
        hint=hint,
        dialect="",
        container=None,
        kind="",
        namespace="",
        name="",
        identity=(CHECK, written),
    )
    return Misuse(finding, *span)
