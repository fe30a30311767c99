"""What `patch`, `explain` and `convert` tell about the documents that they go through."""

from collections.abc import Iterable, Iterator
from operator import itemgetter

from webhook.cli.exits import Exit
from webhook.cli.session import Session, tell
from webhook.core.conversion import Conversion
from webhook.core.finding import Finding, quoted
from webhook.lint.inputs import Input
from webhook.lint.report import Unreadable


class Teller:
    """Writes findings and unreadable inputs to stderr, and keeps the exit code that follows from them."""

    def __init__(self, session: Session) -> None:
        """Take the session whose exit code it is."""
        self._session = session

    def readable(self, found: Iterable[Input | Unreadable]) -> Iterator[Input]:
        """Yield the documents, and tell the rest."""
        for item in found:
            if isinstance(item, Input):
                yield item
            else:
                self.unreadable(item)

    def unreadable(self, item: Unreadable) -> None:
        """Tell why an input cannot be read."""
        place = f"{item.position.line}:{item.position.column}:" if item.position else ""
        self._tell(f"{item.file}:{place} unreadable: {item.message}", Exit.UNREADABLE)

    def findings(self, item: Input, findings: Iterable[Finding]) -> None:
        """Tell what was found in a document; only errors change the exit code."""
        located = [(item.document.locate(finding.path.parts), finding) for finding in findings]
        for place, finding in sorted(located, key=itemgetter(0)):
            line = f"{item.file}:{place.line}:{place.column}: {finding.severity}: {finding.text}"
            self._tell(line, Exit.FINDINGS if finding.severity == "error" else Exit.CLEAN)

    def translation(self, item: Input, converted: Conversion) -> None:
        """Tell what a translation changes; only what could not be carried over changes the exit code."""
        for where, (outcome, text, container) in converted.told:
            place = item.document.locate(where)
            subject = "" if container is None else f"container {quoted(container)}: "
            line = f"{item.file}:{place.line}:{place.column}: {outcome}: {subject}{text} [convert]"
            self._tell(line, Exit.CLEAN)
        if not converted.carried:
            self._session.code = max(self._session.code, Exit.FINDINGS)

    def _tell(self, line: str, code: Exit) -> None:
        tell(line)
        self._session.code = max(self._session.code, code)
