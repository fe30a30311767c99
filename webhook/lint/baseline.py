"""A baseline: the findings that an old repository starts with, so that only new ones count."""

import json
from pathlib import Path
from typing import Any

from webhook.lint.fingerprints import fingerprints
from webhook.lint.report import Report, Suppressed

VERSION = 1
_REASON = "in the baseline"


class BaselineError(Exception):
    """A file is no baseline that can be used; the text says why."""


def baseline_of(report: Report) -> str:
    """Return the findings of a report as a baseline: JSON, one line a finding, stable under version control.

    A finding is known by its check, file, object, field and value; its line may change.
    """
    lines = [
        json.dumps({"fingerprint": mark, "file": located.file, "check": located.finding.check, "field": str(located.finding.path)})
        for located, mark in zip(report.findings, fingerprints(report.findings), strict=True)
    ]
    listed = ",\n  ".join(sorted(lines))
    return f'{{"version": {VERSION}, "findings": [\n  {listed}\n]}}\n' if lines else f'{{"version": {VERSION}, "findings": []}}\n'


def read_baseline(file: Path) -> frozenset[str]:
    """Return the fingerprints of a baseline; raises `BaselineError`."""
    try:
        found = json.loads(file.read_bytes())
    except OSError as error:
        message = f"the baseline {file} cannot be read: {error.strerror}"
        raise BaselineError(message) from None
    except (ValueError, RecursionError):
        message = f"the baseline {file} must be JSON, as `percard baseline` prints it"
        raise BaselineError(message) from None
    marks = _marks(found)
    if marks is None:
        message = f"the baseline {file} must be what `percard baseline` of version {VERSION} prints"
        raise BaselineError(message)
    return marks


def _marks(found: Any) -> frozenset[str] | None:
    if not isinstance(found, dict) or found.get("version") != VERSION or not isinstance(found.get("findings"), list):
        return None
    marks = [entry.get("fingerprint") if isinstance(entry, dict) else None for entry in found["findings"]]
    return frozenset(mark for mark in marks if isinstance(mark, str)) if None not in marks else None


def accept_known(report: Report, known: frozenset[str]) -> None:
    """Move the findings that a baseline knows to the suppressed ones; note how many are gone."""
    marks = fingerprints(report.findings)
    old = [located for located, mark in zip(report.findings, marks, strict=True) if mark in known]
    report.findings = [located for located, mark in zip(report.findings, marks, strict=True) if mark not in known]
    report.suppressed += [Suppressed(located, "external", _REASON) for located in old]
    gone = len(known) - len(old)
    if gone:
        report.notes[f"{gone} of the baseline's findings are no longer there; write it anew with `percard baseline`"] = None
