"""Findings with the place in the file that they are about."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from webhook.core.finding import Finding
from webhook.lint.document import Document
from webhook.lint.report import Excerpt, Located, Repair

if TYPE_CHECKING:
    from webhook.lint.edits import Edit

# `helm template` writes where each document comes from.
_ORIGIN = re.compile(r"^# Source: (\S+)", re.MULTILINE)
Mend = Callable[[Document, Finding], "tuple[Edit, ...]"]
_EXCERPT_CHARACTERS = 160
_EXCERPT_BEFORE = 60


class Locator:
    """Locates findings in one document: the file as the user named it, the document's number in it."""

    def __init__(self, file: str, number: int, document: Document, mend: Mend | None = None) -> None:
        """Take the document and where it comes from; `mend` says how a finding can be repaired."""
        self._file, self._number, self.document, self._mend = file, number, document, mend
        origin = _ORIGIN.search(document.text) if "# Source: " in document.text else None
        self._origin = origin[1] if origin else None

    def at(self, finding: Finding, start: int, end: int) -> Located:
        """Return a finding that is about `document.text[start:end]`."""
        position = self.document.position(start, end)
        return Located(finding, self._file, self._number, position, _excerpt(self.document, start), self._origin, self._repairs(finding))

    def _repairs(self, finding: Finding) -> tuple[Repair, ...]:
        if self._mend is None:
            return ()
        edits = self._mend(self.document, finding)
        return tuple(Repair(self.document.position(edit.start, edit.end), edit.replacement) for edit in edits)


def _excerpt(document: Document, start: int) -> Excerpt:
    line, end = document.breaks.bounds(start)
    before = max(line, start - _EXCERPT_BEFORE) if start - line > _EXCERPT_CHARACTERS // 2 else line
    return Excerpt(document.text[before : min(end, before + _EXCERPT_CHARACTERS)].rstrip("\r"), before - line + 1)
