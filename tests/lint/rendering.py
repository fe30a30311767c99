"""Renders reports as the program does."""

from webhook import build_engine
from webhook.lint.output import Context, format_named
from webhook.lint.report import Report

ENGINE = build_engine()
CONTEXT = Context(version=lambda: "1.2.3", checks=ENGINE.checks)


def rendered(name: str, report: Report) -> str:
    """Return a report in one format."""
    text = format_named(name).render(report, CONTEXT)
    assert text.endswith("\n")
    return text
