"""Repairs manifests: for each finding the smallest edit that makes it go away and brings no other.

Every edit is tried before it is kept: the text is read and examined again.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from webhook.core.engine import Engine
from webhook.core.finding import Finding
from webhook.core.quantity import UnparsableError, parse_quantity
from webhook.lint.chunks import Chunk, cut
from webhook.lint.document import Document
from webhook.lint.edits import Edit, adding, applied, replacing
from webhook.lint.faults import DocumentError
from webhook.lint.reading import read
from webhook.lint.run import stage_of

# What a repair changes is what its author must have meant, or asks for the next larger share.
SAFE = frozenset({"card-count", "card-list", "compute-policy", "core-step", "memory-step", "quantity"})
# Another choice than the author's may be behind these.
UNSAFE = frozenset({"core-range", "memory-range", "requests-limits", "same-resources", "scheduler-conflict"})
# Their findings hide those of what could not be read.
_HIDING = frozenset({"card-count", "card-list", "quantity"})
_QUOTED = re.compile(r"""(["'])([^"']+)\1""")
_ENTRY = re.compile(r'\bwrite (\S+): "([^"]+)"')

Findings = Counter[tuple[str, str]]


class Fixer:
    """Repairs texts with one engine; `checks` are those whose findings it may repair."""

    def __init__(self, engine: Engine, *, unsafe: bool = False) -> None:
        """Take the engine, and whether to change more than the author can only have meant."""
        self._engine = engine
        self._checks = SAFE | UNSAFE if unsafe else SAFE

    def fixed(self, text: str) -> str:
        """Return the text of a file with all that can be repaired; it is the same where nothing can."""
        offset = 0
        for chunk in list(cut(text.encode())):
            if not self._engine.mentions_marks(chunk.text) or chunk.fault is not None:
                continue
            start = text.index(chunk.text, offset)
            repaired = self._fixed(chunk.text)
            text = text[:start] + repaired + text[start + len(chunk.text) :]
            offset = start + len(repaired)
        return text

    def repair(self, document: Document, finding: Finding) -> Edit | None:
        """Return the edit of the document's text that makes a finding go away, None where there is none that may be made."""
        state = self._examined(document.text)
        return None if state is None else next((edit for edit, _ in self._tried(state, document, finding)), None)

    def _fixed(self, text: str) -> str:
        state = self._examined(text)
        seen = {text}
        while state is not None:
            better = next((found for found in self._better(state) if found.text not in seen), None)
            if better is None:
                return state.text
            state = better
            seen.add(state.text)
        return text

    def _better(self, state: "_State") -> Iterator["_State"]:
        """Yield texts with one finding less, and none more except where that one was hiding others."""
        for document, finding in state.found:
            yield from (tried for _, tried in self._tried(state, document, finding))

    def _tried(self, state: "_State", document: Document, finding: Finding) -> Iterator[tuple[Edit, "_State"]]:
        """Yield the edits that repair one finding, with the text that each makes."""
        if finding.check in self._checks and finding.severity == "error":
            for edit in _edits(document, finding):
                tried = self._examined(applied(state.text, edit))
                if tried is not None and _is_better(tried.counts, state.counts, finding):
                    yield edit, tried

    def _examined(self, text: str) -> "_State | None":
        try:
            documents = list(read(Chunk(text, 0)))
        except DocumentError:
            return None
        found = [
            (document, finding)
            for document in documents
            for finding in self._engine.examine(document.data, stage=stage_of(document.data)).findings
        ]
        return _State(text, found, Counter((finding.check, str(finding.path)) for _, finding in found))


class _State(NamedTuple):
    """A text with what was found in it; `counts` are the findings by check and path."""

    text: str
    found: list[tuple[Document, Finding]]
    counts: Findings


def _is_better(tried: Findings, before: Findings, finding: Finding) -> bool:
    key = (finding.check, str(finding.path))
    return tried < before or (finding.check in _HIDING and tried[key] < before[key])


def _edits(document: Document, finding: Finding) -> Iterator[Edit]:
    """Yield what may repair a finding, the best first: the nearest larger value, then the other ones of its hint."""
    parts = finding.path.parts
    if document.found(parts).place is None:
        entry = _ENTRY.search(finding.hint)
        added = adding(document, parts, entry[2]) if entry and entry[1] == parts[-1] else None
        yield from [added] if added else []
        return
    suggested = [match[2] for match in _QUOTED.finditer(finding.hint)]
    for value in sorted(suggested, key=lambda value: _distance(value, finding.value)):
        replaced = replacing(document, parts, value)
        if replaced is not None:
            yield replaced


def _distance(value: str, written: str | None) -> tuple[int, object]:
    """Return what sorts larger numbers first, the nearest first, then smaller ones; text keeps its order."""
    try:
        difference = parse_quantity(value) - parse_quantity(written)
    except UnparsableError:
        return (2, 0)
    return (0, difference) if difference >= 0 else (1, -difference)
