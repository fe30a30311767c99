"""Text for people: each finding with its source line and a caret under the range."""

import unicodedata

from webhook.core.fieldpath import printable
from webhook.lint.output import Context, Format
from webhook.lint.report import Located, Report, Suppressed, Unreadable

_STYLES = {"error": "bold red", "warning": "bold yellow", "hint": "bold cyan", "place": "bold", "gutter": "blue"}
_WIDE = ("W", "F")


def render(report: Report, context: Context) -> str:
    """Return the findings, the inputs that could not be read, and a line of figures."""
    lines: list[str] = []
    for located in report.findings:
        lines += _finding(located, context)
    lines += [_suppressed(one, context) for one in report.suppressed]
    lines += [_unreadable(broken, context) for broken in report.unreadable]
    return "\n".join([*lines, _figures(report), ""])


def _styled(text: str, style: str, context: Context) -> str:
    if not context.color:
        return text
    from rich.style import Style  # noqa: PLC0415 - costs 40 ms, and only a terminal needs it

    return Style.parse(_STYLES[style]).render(text)


def _finding(located: Located, context: Context) -> list[str]:
    finding, position, number = located.finding, located.position, str(located.position.line)
    place = _styled(f"{printable(located.file)}:{number}:{position.column}:", "place", context)
    margin, severity = " " * len(number), finding.severity
    before, marked = _cells(located)
    under = f"{' ' * before}{_styled('^' * max(marked, 1), severity, context)}"
    equals = f"  {margin} {_styled('=', 'gutter', context)}"
    subject = _subject(located)
    return [
        f"{place} {_styled(severity, severity, context)}: {finding.subject}{finding.message} [{finding.check}]",
        f"  {_styled(f'{number} |', 'gutter', context)} {_shown(located.excerpt.text)}".rstrip(),
        f"  {_styled(f'{margin} |', 'gutter', context)} {under}",
        *([f"{equals} {_styled('hint', 'hint', context)}: {finding.hint}"] if finding.hint else []),
        *([f"{equals} {subject}"] if subject else []),
        "",
    ]


def _subject(located: Located) -> str:
    """Return which field of which object it is, and the chart's template that it was rendered from."""
    finding = located.finding
    name = f"{finding.namespace}/{finding.name}" if finding.namespace else finding.name
    subject = " ".join(filter(None, (printable(finding.kind), printable(name))))
    origin = f", from {printable(located.origin)}" if located.origin else ""
    return f"{subject}{': ' if subject else ''}{finding.path}{origin}"


def _shown(text: str) -> str:
    """Return source text with a tab as one blank and nothing that could steer a terminal."""
    return printable(text.replace("\t", " "))


def _cells(located: Located) -> tuple[int, int]:
    """Return how many terminal cells stand before the range on its first line, and in it."""
    text, position = located.excerpt.text, located.position
    start = position.column - located.excerpt.column
    end = position.end_column - located.excerpt.column if position.end_line == position.line else len(text)
    return _width(text[:start]), _width(text[start:end])


def _width(text: str) -> int:
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(0 if unicodedata.combining(char) else 1 + (unicodedata.east_asian_width(char) in _WIDE) for char in _shown(text))


def _suppressed(one: Suppressed, context: Context) -> str:
    position, finding = one.located.position, one.located.finding
    place = _styled(f"{printable(one.located.file)}:{position.line}:{position.column}:", "place", context)
    return f"{place} suppressed: {finding.message} [{finding.check}] -- {printable(one.reason)}"


def _unreadable(broken: Unreadable, context: Context) -> str:
    place = f"{printable(broken.file)}:"
    if broken.position is not None:
        place += f"{broken.position.line}:{broken.position.column}:"
    return f"{_styled(place, 'place', context)} {_styled('unreadable', 'error', context)}: {printable(broken.message)}"


def _figures(report: Report) -> str:
    found = [_number(report.errors, "error"), _number(report.warnings, "warning")]
    if report.suppressed:
        found.append(f"{len(report.suppressed)} suppressed")
    if report.unreadable:
        found.append(f"{len(report.unreadable)} unreadable")
    where = f"{_number(report.pods, 'GPU pod')} of {_number(report.files, 'file')}"
    skipped = f" ({report.skipped} without GPU shares)" if report.skipped else ""
    return f"{', '.join(found)} in {where}{skipped}"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


FORMAT = Format(name="text", summary="for people: source line, caret range, hint; colours on a terminal", render=render)
