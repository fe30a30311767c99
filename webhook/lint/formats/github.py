"""GitHub workflow commands: annotations at the lines of a pull request."""

from webhook.core.fieldpath import printable
from webhook.lint.faults import Position
from webhook.lint.output import Context, Format
from webhook.lint.report import Located, Report, Unreadable

# GitHub shows ten annotations of each level for a step and drops the rest without a word.
MOST_PER_LEVEL = 10
_LEVELS = ("error", "warning")


def render(report: Report, _: Context) -> str:
    """Return one command a line, and a notice that counts what GitHub would not show."""
    lines: dict[str, list[str]] = {level: [] for level in _LEVELS}
    lines["error"] += [_unreadable(broken) for broken in report.unreadable]
    for located in report.findings:
        lines[located.finding.severity].append(_finding(located))
    shown = [line for level in _LEVELS for line in lines[level][:MOST_PER_LEVEL]]
    hidden = sum(map(len, lines.values())) - len(shown)
    if hidden:
        shown.append(f"::notice title=percard::{hidden} more in the step's log or another output of percard")
    return "".join(f"{line}\n" for line in shown)


def _finding(located: Located) -> str:
    finding = located.finding
    return _command(finding.severity, located.file, located.position, f"percard: {finding.check}", finding.text)


def _unreadable(broken: Unreadable) -> str:
    return _command("error", broken.file, broken.position, "percard: unreadable", broken.message)


def _command(level: str, file: str, position: Position | None, title: str, message: str) -> str:
    properties = {"file": file, "title": title}
    if position is not None:
        properties |= {"line": str(position.line), "endLine": str(position.end_line)}
        # GitHub takes columns for ranges on one line only, and counts the last one in.
        if position.line == position.end_line:
            properties |= {"col": str(position.column), "endColumn": str(max(position.column, position.end_column - 1))}
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{level} {listed}::{_data(printable(message))}"


def _data(text: str) -> str:
    """Escape what ends a command (actions/toolkit, `command.ts`)."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


FORMAT = Format(name="github", summary="annotations of a GitHub workflow", render=render)
