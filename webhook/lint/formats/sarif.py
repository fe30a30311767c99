"""SARIF 2.1.0, for code scanning dashboards."""

import json
import os
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote_from_bytes

from webhook.core.plugin import Check
from webhook.lint.faults import Position
from webhook.lint.fingerprints import fingerprints
from webhook.lint.output import Context, Format
from webhook.lint.report import Located, Repair, Report, Unreadable

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"
_UNREADABLE = "unreadable"


def render(report: Report, context: Context) -> str:
    """Return one SARIF log with one run."""
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [_run(report, context)]}
    return json.dumps(log, ensure_ascii=False, indent=2) + "\n"


def _run(report: Report, context: Context) -> dict[str, Any]:
    checks = sorted(context.checks, key=lambda check: check.id)
    numbers = {check.id: number for number, check in enumerate(checks)}
    everything = [*report.findings, *(one.located for one in report.suppressed)]
    marks = fingerprints(everything)
    results = [_result(located, numbers.get(located.finding.check), mark) for located, mark in zip(everything, marks, strict=True)]
    for one, result in zip(report.suppressed, results[len(report.findings) :], strict=True):
        result["suppressions"] = [{"kind": one.kind, "justification": one.reason}]
    driver = {"name": "percard", "version": context.version(), "rules": [_rule(check) for check in checks]}
    return {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The folder in which percard was started."}}},
        "invocations": [
            {
                "executionSuccessful": not report.unreadable,
                "toolExecutionNotifications": [_notification(broken) for broken in report.unreadable],
            }
        ],
        "results": results,
    }


def _rule(check: Check) -> dict[str, Any]:
    return {
        "id": check.id,
        "shortDescription": {"text": check.summary},
        "fullDescription": {"text": check.summary},
        "help": {"text": check.page.strip(), "markdown": check.page.strip()},
        "defaultConfiguration": {"level": check.severity},
        "properties": {"problem.severity": check.severity, "tags": ["kubernetes", "gpu"]},
    }


def _result(located: Located, rule: int | None, mark: str) -> dict[str, Any]:
    finding = located.finding
    name = "/".join(filter(None, (finding.kind, finding.namespace, finding.name)))
    return {
        "ruleId": finding.check,
        **({"ruleIndex": rule} if rule is not None else {}),
        "level": finding.severity,
        "message": {"text": finding.subject + finding.advised},
        "locations": [
            {
                "physicalLocation": {"artifactLocation": _artifact(located.file), "region": _region(located.position)},
                "logicalLocations": [{"fullyQualifiedName": f"{name}: {finding.path}" if name else str(finding.path)}],
            }
        ],
        "partialFingerprints": {"percard/v1": mark},
        **({"fixes": [_fix(located.file, located.repairs)]} if located.repairs else {}),
    }


def _fix(file: str, repairs: Sequence[Repair]) -> dict[str, Any]:
    replacements = [{"deletedRegion": _region(repair.position), "insertedContent": {"text": repair.text}} for repair in repairs]
    return {
        "description": {"text": f"As `percard fix` does: write {repairs[0].text.strip()}"},
        "artifactChanges": [{"artifactLocation": _artifact(file), "replacements": replacements}],
    }


def _region(position: Position) -> dict[str, int]:
    return {
        "startLine": position.line,
        "startColumn": position.column,
        "endLine": position.end_line,
        "endColumn": position.end_column,
    }


def _artifact(file: str) -> dict[str, str]:
    path = PurePath(file)
    if path.is_absolute():
        return {"uri": path.as_uri()}
    return {"uri": quote_from_bytes(os.fsencode(path.as_posix())), "uriBaseId": _ROOT}


def _notification(broken: Unreadable) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": _artifact(broken.file)}
    if broken.position is not None:
        place["region"] = {"startLine": broken.position.line, "startColumn": broken.position.column}
    return {
        "level": "error",
        "descriptor": {"id": _UNREADABLE},
        "message": {"text": broken.message},
        "locations": [{"physicalLocation": place}],
    }


FORMAT = Format(name="sarif", summary="SARIF 2.1.0 for code scanning", render=render, shows_repairs=True)
