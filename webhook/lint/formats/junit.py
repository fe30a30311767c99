"""JUnit XML, which every CI system shows as test results."""

import re
from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

from webhook.lint.output import Context, Format
from webhook.lint.report import Located, Report, Unreadable

# What XML 1.0 cannot hold, not even escaped.
_UNHOLDABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report, _: Context) -> str:
    """Return one test suite a file with findings or faults; a run without any has one passed case.

    A warning is a passed case with output: a failed one would break the build.
    """
    suites = [_suite(file, cases) for file, cases in _cases(report).items()] or [_suite("percard", [_case("all files", "percard", "")])]
    failures = report.errors
    tests = sum(count for _, count in suites)
    head = f'<testsuites name="percard" tests="{tests}" failures="{failures}" errors="{len(report.unreadable)}">'
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *(text for text, _ in suites), "</testsuites>", ""])


def _cases(report: Report) -> dict[str, list[str]]:
    cases: dict[str, list[str]] = {}
    for broken in report.unreadable:
        cases.setdefault(broken.file, []).append(_unreadable(broken))
    for located in report.findings:
        cases.setdefault(located.file, []).append(_finding(located))
    return cases


def _suite(file: str, cases: Iterable[str]) -> tuple[str, int]:
    listed = list(cases)
    failures = sum("<failure " in case for case in listed)
    errors = sum("<error " in case for case in listed)
    head = f'  <testsuite name={_attribute(file)} tests="{len(listed)}" failures="{failures}" errors="{errors}">'
    return "\n".join([head, *listed, "  </testsuite>"]), len(listed)


def _finding(located: Located) -> str:
    finding, position = located.finding, located.position
    name = f"{finding.check} at {position.line}:{position.column}"
    text = _text(f"{located.file}:{position.line}:{position.column}: {finding.text}\n{finding.path}")
    if finding.severity == "warning":
        return _case(name, located.file, f"<system-out>{text}</system-out>")
    return _case(name, located.file, f"<failure type={_attribute(finding.check)} message={_attribute(finding.message)}>{text}</failure>")


def _unreadable(broken: Unreadable) -> str:
    place = f" at {broken.position.line}:{broken.position.column}" if broken.position else ""
    return _case(f"unreadable{place}", broken.file, f'<error type="unreadable" message={_attribute(broken.message)}></error>')


def _case(name: str, file: str, inner: str) -> str:
    head = f"    <testcase name={_attribute(name)} classname={_attribute(file)}"
    return f"{head}>{inner}</testcase>" if inner else f"{head}/>"


def _text(text: str) -> str:
    return escape(_UNHOLDABLE.sub("�", text))


def _attribute(text: str) -> str:
    return quoteattr(_UNHOLDABLE.sub("�", text))


FORMAT = Format(name="junit", summary="JUnit XML, one test suite a file", render=render)
