"""Verdicts under settings, cut down to what a test compares."""

from typing import Any

from webhook import Stage, Verdict, build_engine, load_settings


def examine(obj: dict[str, Any], **flags: Any) -> Verdict:
    """Return the verdict of /mutate on CREATE, with settings by name, `__` for a dot."""
    named = {name.replace("__", "."): value for name, value in flags.items()}
    return build_engine(load_settings(None, {}, named)).examine(obj, stage=Stage.MUTATE)


def complaints(verdict: Verdict) -> list[tuple[str, str]]:
    return [(finding.check, finding.severity) for finding in verdict.findings]


def patch_of(verdict: Verdict) -> dict[str, Any]:
    return {operation.path: operation.value for operation in verdict.patch}
