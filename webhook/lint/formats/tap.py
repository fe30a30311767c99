"""TAP 14, the Test Anything Protocol."""

import json
from typing import Any

from webhook.core.fieldpath import printable
from webhook.lint.output import Context, Format
from webhook.lint.report import Located, Report, Unreadable


def render(report: Report, _: Context) -> str:
    """Return one test point a finding or unreadable input, one passed point where there is none.

    A warning is a passed point with its diagnostics.
    """
    points = [_unreadable(broken) for broken in report.unreadable] + [_finding(located) for located in report.findings]
    points = points or [("ok", f"{report.files} files clean", {})]
    lines = ["TAP version 14", f"1..{len(points)}"]
    for number, (result, description, details) in enumerate(points, 1):
        lines.append(f"{result} {number} - {_escaped(description)}")
        if details:
            # JSON is YAML, and keeps every value on its line.
            inner = [f"  {name}: {json.dumps(value, ensure_ascii=True)}" for name, value in details.items()]
            lines += ["  ---", *inner, "  ..."]
    return "\n".join(lines) + "\n"


def _finding(located: Located) -> tuple[str, str, dict[str, Any]]:
    finding, position = located.finding, located.position
    details = {
        "message": finding.text,
        "severity": "fail" if finding.severity == "error" else "comment",
        "field": str(finding.path),
        "at": {"file": located.file, "line": position.line, "column": position.column},
    }
    description = f"{finding.check} {located.file}:{position.line}:{position.column}"
    return "not ok" if finding.severity == "error" else "ok", description, details


def _unreadable(broken: Unreadable) -> tuple[str, str, dict[str, Any]]:
    return "not ok", f"unreadable {broken.file}", {"message": broken.message, "severity": "fail"}


def _escaped(text: str) -> str:
    """Escape what would start a directive (TAP 14, "Escaping")."""
    return printable(text).replace("\\", "\\\\").replace("#", "\\#")


FORMAT = Format(name="tap", summary="TAP 14, one test point a finding", render=render)
