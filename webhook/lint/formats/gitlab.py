"""GitLab's code quality report, shown in merge requests."""

import hashlib
import json
from typing import Any

from webhook.lint.faults import Position
from webhook.lint.fingerprints import fingerprints
from webhook.lint.output import Context, Format
from webhook.lint.report import Report, Unreadable

_SEVERITIES = {"error": "critical", "warning": "minor"}


def render(report: Report, _: Context) -> str:
    """Return one JSON array."""
    found = [
        _issue(
            located.finding.check,
            located.finding.text,
            _SEVERITIES[located.finding.severity],
            mark,
            _location(located.file, located.position),
        )
        for located, mark in zip(report.findings, fingerprints(report.findings), strict=True)
    ]
    found += [_unreadable(broken) for broken in report.unreadable]
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"


def _issue(check: str, description: str, severity: str, mark: str, location: dict[str, Any]) -> dict[str, Any]:
    return {"check_name": check, "description": description, "severity": severity, "fingerprint": mark, "location": location}


def _location(file: str, position: Position | None) -> dict[str, Any]:
    begin, end = (position.line, position.end_line) if position else (1, 1)
    return {"path": file.removeprefix("./"), "lines": {"begin": begin, "end": end}}


def _unreadable(broken: Unreadable) -> dict[str, Any]:
    mark = hashlib.sha256(f"unreadable\0{broken.file}\0{broken.message}".encode("utf-8", "replace")).hexdigest()[:32]
    return _issue("unreadable", broken.message, "blocker", mark, _location(broken.file, broken.position))


FORMAT = Format(name="gitlab", summary="GitLab code quality report", render=render)
