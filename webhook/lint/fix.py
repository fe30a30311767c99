"""Repairs manifests: for each finding the fewest edits that make it go away and bring no other.

Every repair is tried before it is kept: the text is read and examined again.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from webhook.core.engine import Engine, Verdict
from webhook.core.finding import Finding
from webhook.core.limits import limits_text
from webhook.core.walk import stage_of
from webhook.lint.chunks import Chunk, cut
from webhook.lint.document import Document, Parts
from webhook.lint.edits import Edit, adding, applied, replacing, writing
from webhook.lint.faults import DocumentError
from webhook.lint.reading import read
from webhook.lint.suggestions import entry, values
from webhook.lint.ties import tied

# What a repair changes is what its author must have meant, or asks for the next larger share.
SAFE = frozenset({"card-count", "card-list", "compute-policy", "core-step", "memory-step", "quantity"})
# Another choice than the author's may be behind these.
UNSAFE = frozenset({"core-range", "limits-annotation", "memory-range", "requests-limits", "same-resources", "scheduler-conflict"})
# Their findings hide those of what could not be read.
_HIDING = frozenset({"card-count", "card-list", "quantity"})
_LIMITS = "limits-annotation"

Findings = Counter[tuple[str, Parts]]
# What belongs together: none of them is made without the others.
Edits = tuple[Edit, ...]


def repair_of(check_id: str) -> str:
    """Return what the page of a check says of its repair."""
    if check_id in SAFE:
        return "`percard fix`"
    return "`percard fix --unsafe`, as another choice may be behind it" if check_id in UNSAFE else "by hand"


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

    def repair(self, document: Document, finding: Finding) -> Edits:
        """Return the edits of the document's text that make a finding go away, none where none may be made."""
        state = self._examined(document.text)
        if state is None:
            return ()
        number = next(number for number, one in enumerate(state.examined) if one.document.start == document.start)
        return next((edits for edits, _ in self._tried(state, number, finding)), ())

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
        for number, (_, verdict) in enumerate(state.examined):
            for finding in verdict.findings:
                yield from (tried for _, tried in self._tried(state, number, finding))

    def _tried(self, state: "_State", number: int, finding: Finding) -> Iterator[tuple[Edits, "_State"]]:
        """Yield what repairs a finding of a document, with the text that it makes."""
        if finding.check in self._checks and finding.severity == "error":
            for edits in _repairs(state.examined[number], finding):
                made = self._made(state, number, edits)
                if made is not None and _is_better(made[1], state, finding):
                    yield made

    def _made(self, state: "_State", number: int, edits: Edits) -> "tuple[Edits, _State] | None":
        """Return edits of a document, with those by which its limits annotations follow, and the text that they make."""
        tried = self._examined(applied(state.text, edits))
        following = () if tried is None else _stale_limits(tried, state, number)
        if following:
            edits = tuple(dict.fromkeys((*edits, *following)))
            tried = self._examined(applied(state.text, edits))
        return None if tried is None else (edits, tried)

    def _examined(self, text: str) -> "_State | None":
        try:
            documents = list(read(Chunk(text, 0)))
        except DocumentError:
            return None
        examined = [Examined(document, self._engine.examine(document.data, stage=stage_of(document.data))) for document in documents]
        return _State(text, examined, Counter((found.check, found.path.parts) for one in examined for found in one.verdict.findings))


class Examined(NamedTuple):
    """A document with what was found in it."""

    document: Document
    verdict: Verdict


class _State(NamedTuple):
    """A text with what was found in it; `counts` are the findings by check and path."""

    text: str
    examined: list[Examined]
    counts: Findings


def _is_better(tried: _State, before: _State, finding: Finding) -> bool:
    if tried.counts < before.counts:
        return True
    return finding.check in _HIDING and not any(tried.counts[check, finding.path.parts] for check in _HIDING)


def _repairs(examined: Examined, finding: Finding) -> Iterator[Edits]:
    """Yield what may repair a finding, the best first."""
    document, parts = examined.document, finding.path.parts
    if finding.check == _LIMITS:
        yield from filter(None, [_limits_edit(document, examined.verdict, parts)])
    elif document.found(parts).place is None:
        missing = entry(finding)
        added = None if missing is None else adding(document, parts, missing)
        yield from [(added,)] if added else []
    else:
        for value in values(finding, bounds=finding.check in UNSAFE):
            if not (finding.check == "card-count" and _shortens(value, finding.value)):
                yield from filter(None, [_everywhere(document, parts, value)])


def _shortens(value: str, written: str | None) -> bool:
    """Say whether a list of counts would lose entries: a hint about one of them is no hint about all."""
    return value.count(",") < (written or "").count(",")


def _everywhere(document: Document, parts: Parts, value: str) -> Edits:
    """Return the edits that write a value at a place and all that must say the same; none where one cannot be made."""
    edits = [replacing(document, place, value) for place in (parts, *tied(document.data, parts))]
    # What an alias or a merge key repeats is written once.
    return () if None in edits else tuple(dict.fromkeys(edit for edit in edits if edit))


def _stale_limits(tried: _State, before: _State, number: int) -> Edits:
    """Return the edits of the text before by which limits annotations follow the repaired shares."""
    new = [parts for check, parts in tried.counts - before.counts if check == _LIMITS]
    document = before.examined[number].document
    return tuple(edit for parts in new for edit in _limits_edit(document, tried.examined[number].verdict, parts))


def _limits_edit(document: Document, verdict: Verdict, parts: Parts) -> Edits:
    """Return the edit that writes what a pod's cards give into its limits annotation."""
    gpu = next((gpu for gpu in verdict.pods if gpu.pod.root == parts[: len(gpu.pod.root)]), None)
    edit = writing(document, parts, limits_text(gpu)) if gpu else None
    return (edit,) if edit else ()
