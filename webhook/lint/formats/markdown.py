"""Markdown, for the summary page of a CI job."""

import re

from webhook.core.fieldpath import printable
from webhook.lint.output import Context, Format
from webhook.lint.report import Located, Report, Unreadable

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~!&])")
# GitHub takes a summary of at most 1 MiB; past some hundred rows nobody reads on.
MOST_ROWS = 200


def render(report: Report, _: Context) -> str:
    """Return a heading, the figures and a table."""
    lines = [f"## percard: {report.errors} errors, {report.warnings} warnings", "", _figures(report), ""]
    rows = [_unreadable(broken) for broken in report.unreadable] + [_finding(located) for located in report.findings]
    rows += [_finding(one.located, f"suppressed: {one.reason}") for one in report.suppressed]
    if rows:
        lines += ["| place | check | what | hint |", "|---|---|---|---|", *rows[:MOST_ROWS]]
    if len(rows) > MOST_ROWS:
        lines += ["", f"and {len(rows) - MOST_ROWS} more"]
    return "\n".join(lines).rstrip() + "\n"


def _figures(report: Report) -> str:
    found = f"{report.pods} GPU pods in {report.documents} documents of {report.files} files, {report.skipped} files without GPU shares"
    suppressed = f", {len(report.suppressed)} findings suppressed" if report.suppressed else ""
    return f"{found}{suppressed}."


def _finding(located: Located, level: str = "") -> str:
    finding, position = located.finding, located.position
    place = f"{located.file}:{position.line}:{position.column}"
    check = f"{finding.check} ({_escaped(level or finding.severity)})"
    return f"| {_escaped(place)} | {check} | {_escaped(finding.subject + finding.message)} | {_escaped(finding.hint)} |"


def _unreadable(broken: Unreadable) -> str:
    place = f":{broken.position.line}:{broken.position.column}" if broken.position else ""
    return f"| {_escaped(broken.file + place)} | unreadable | {_escaped(broken.message)} | |"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", printable(text))


FORMAT = Format(name="markdown", summary="a table for the summary of a CI job", render=render)
