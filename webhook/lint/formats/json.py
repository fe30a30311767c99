"""JSON, version 1: stable names for programs."""

import json
from typing import Any

from webhook.lint.output import Context, Format
from webhook.lint.report import Located, Report, Unreadable

VERSION = 1


def render(report: Report, _: Context) -> str:
    """Return one JSON object."""
    return json.dumps(as_object(report), ensure_ascii=False, indent=2) + "\n"


def as_object(report: Report) -> dict[str, Any]:
    """Return the report as JSON values."""
    return {
        "version": VERSION,
        "summary": {
            "files": report.files,
            "skipped": report.skipped,
            "documents": report.documents,
            "pods": report.pods,
            "errors": report.errors,
            "warnings": report.warnings,
            "suppressed": len(report.suppressed),
            "unreadable": len(report.unreadable),
        },
        "findings": [_finding(located) for located in report.findings],
        "suppressed": [{**_finding(one.located), "suppression": {"kind": one.kind, "reason": one.reason}} for one in report.suppressed],
        "unreadable": [_unreadable(broken) for broken in report.unreadable],
    }


def _finding(located: Located) -> dict[str, Any]:
    finding, position = located.finding, located.position
    return {
        "check": finding.check,
        "severity": finding.severity,
        "dialect": finding.dialect,
        "file": located.file,
        "document": located.document,
        "line": position.line,
        "column": position.column,
        "endLine": position.end_line,
        "endColumn": position.end_column,
        "kind": finding.kind,
        "namespace": finding.namespace,
        "name": finding.name,
        "container": finding.container,
        "field": str(finding.path),
        "value": finding.value,
        "message": finding.message,
        "hint": finding.hint,
        **({"source": located.origin} if located.origin else {}),
    }


def _unreadable(broken: Unreadable) -> dict[str, Any]:
    place = {"line": broken.position.line, "column": broken.position.column} if broken.position else {}
    return {"file": broken.file, **place, "message": broken.message}


FORMAT = Format(name="json", summary="for programs: everything, version 1", render=render)
