"""What a run found: located findings, inputs that could not be read, and how much was looked at."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from webhook.core.finding import Finding
from webhook.lint.faults import Position


class Excerpt(NamedTuple):
    """The part of a source line around a position: `column` (from 1) is where `text` starts in the line."""

    text: str
    column: int


class Repair(NamedTuple):
    """An edit: `text` instead of what stands at `position`."""

    position: Position
    text: str


class Located(NamedTuple):
    """A finding with its place: `file` as the user named it, `document` from 0, `origin` a chart's template.

    `repairs` are the edits that `percard fix` would make for it, all of them together, where somebody asked for that.
    """

    finding: Finding
    file: str
    document: int
    position: Position
    excerpt: Excerpt
    origin: str | None = None
    repairs: tuple[Repair, ...] = ()


class Suppressed(NamedTuple):
    """A finding that somebody accepted: `kind` is SARIF's word for where that is written, `reason` says why."""

    located: Located
    kind: Literal["inSource", "external"]
    reason: str


class Unreadable(NamedTuple):
    """An input that could not be read or parsed; `position` is None where it could not even be opened."""

    file: str
    position: Position | None
    message: str


@dataclass(slots=True)
class Report:
    """The outcome of one or more files; `notes` are for stderr, each once.

    `files` counts all, `skipped` those of them in which nothing was to be judged; `left_out` counts, by dialect, the
    files that mention keys of one that is off.
    """

    files: int = 0
    skipped: int = 0
    documents: int = 0
    pods: int = 0
    findings: list[Located] = field(default_factory=list)
    unreadable: list[Unreadable] = field(default_factory=list)
    suppressed: list[Suppressed] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Report") -> None:
        """Add what another report holds, behind what this one does."""
        self.files += other.files
        self.skipped += other.skipped
        self.documents += other.documents
        self.pods += other.pods
        self.findings += other.findings
        self.unreadable += other.unreadable
        self.suppressed += other.suppressed
        self.notes.update(other.notes)
        self.left_out.update(other.left_out)

    @property
    def errors(self) -> int:
        """Return how many findings are errors."""
        return count(self.findings, "error")

    @property
    def warnings(self) -> int:
        """Return how many findings are warnings."""
        return count(self.findings, "warning")


def count(findings: Iterable[Located], severity: str) -> int:
    """Return how many findings have a severity."""
    return sum(located.finding.severity == severity for located in findings)
