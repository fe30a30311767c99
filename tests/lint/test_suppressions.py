"""Comments that accept findings: for which lines, until when, and what is wrong with them."""

import json
from datetime import date
from pathlib import Path

import pytest

from tests.lint.manifests import bad_pod, good_pod
from tests.lint.rendering import ENGINE, rendered
from webhook.lint.report import Report
from webhook.lint.run import Checker

TODAY = date(2027, 3, 1)
IGNORE = "# percard: ignore[memory-step] -- a test cluster"
LINE = '          volcano.sh/gpu-mem.128Mi: "64"'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "a.yaml"


def _check(file: Path, text: str) -> Report:
    file.write_text(text, encoding="utf-8")
    return Checker(ENGINE, TODAY).check([str(file)])


def _figures(report: Report) -> tuple[list[str], list[str]]:
    return [located.finding.check for located in report.findings], [one.reason for one in report.suppressed]


@pytest.mark.parametrize(
    "text",
    [
        bad_pod().replace(LINE, f"{LINE}  {IGNORE}"),
        bad_pod().replace(LINE, f"{LINE}# no comment\n").replace('"64"# no comment\n', f'"64" {IGNORE}'),
        bad_pod().replace(LINE, f"          {IGNORE}\n{LINE}"),
        bad_pod().replace(LINE, f"{IGNORE}\n# another comment\n{LINE}"),
        f"{IGNORE}\n{bad_pod()}",
        f"# a licence\n\n{IGNORE}\n{bad_pod()}",
        bad_pod().replace(LINE, f"{LINE} # percard:ignore[core-step,memory-step]  --  a test cluster  "),
        bad_pod().replace(LINE, f"{LINE} # percard: ignore[memory-step] until 2027-03-01 -- a test cluster"),
        bad_pod().replace(LINE, f"{LINE} # percard: ignore[memory_step] -- a test cluster"),
    ],
    ids=[
        "on the line",
        "after one blank",
        "above the line",
        "above other comments",
        "the document",
        "under a licence",
        "two checks",
        "last day",
        "as settings spell it",
    ],
)
def test_a_comment_accepts_a_finding(file: Path, text: str) -> None:
    assert _figures(_check(file, text)) == ([], ["a test cluster"])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (bad_pod().replace("spec:", f"spec: {IGNORE}"), ["suppression", "memory-step"]),
        (bad_pod().replace(LINE, f"{LINE}  # percard: ignore[core-step] -- why"), ["memory-step", "suppression"]),
        (bad_pod().replace(LINE, f"{LINE}  # percard: ignore[memory-step]"), ["memory-step", "suppression"]),
        (bad_pod().replace(LINE, f"{LINE}  # percard: ignore -- why"), ["memory-step", "suppression"]),
        (bad_pod().replace(LINE, f"{LINE}  # percard: ignore[no-such-check] -- why"), ["memory-step", "suppression"]),
        (bad_pod().replace(LINE, f"{LINE}  # percard: ignore[memory-step] until 2027-02-30 -- why"), ["memory-step", "suppression"]),
        (bad_pod().replace(LINE, f"{LINE}  # percard: ignore[memory-step] until 2027-02-28 -- why"), ["memory-step", "suppression"]),
        (good_pod().replace(LINE, f"{LINE}  {IGNORE}"), ["suppression"]),
        (f"{IGNORE}\n{good_pod()}", ["suppression"]),
    ],
    ids=["another line", "another check", "no reason", "no check", "an unknown check", "no such day", "expired", "unused", "unused above"],
)
def test_what_accepts_nothing_is_a_finding(file: Path, text: str, found: list[str]) -> None:
    assert _figures(_check(file, text)) == (found, [])


@pytest.mark.parametrize(
    ("comment", "told"),
    [
        ("ignore -- why", "must name the checks that it accepts"),
        ("ignore[memory-step]", "must give a reason behind '--'"),
        ("ignore[memory-step] why", "must give a reason behind '--'"),
        ("ignore[memory/step] -- why", "must name its checks and a reason"),
        ("ignore[memory-step] until tomorrow -- why", "must name a day that exists, such as 2027-03-01, not 'tomorrow'"),
        ("ignore[memory-step] until 20270301 -- why", "must name a day that exists, such as 2027-03-01, not '20270301'"),
        ("ignore[memory-stp] -- why", "must name checks that exist, not 'memory-stp'"),
    ],
)
def test_a_malformed_comment_is_told_what_it_lacks(file: Path, comment: str, told: str) -> None:
    report = _check(file, good_pod().replace(LINE, f"{LINE}  # percard: {comment}"))
    assert [located.finding.message for located in report.findings] == [f"'# percard: {comment}' {told}"]


def test_a_check_that_is_misspelt_in_a_comment_is_told_which_was_meant(file: Path) -> None:
    report = _check(file, good_pod().replace(LINE, f"{LINE}  # percard: ignore[memory-stp] -- why"))
    assert report.findings[0].finding.hint == "write memory-step, if that was meant; `percard checks` lists all"


def test_a_finding_about_a_comment_belongs_to_no_object_in_the_text(file: Path) -> None:
    shown = rendered("text", _check(file, good_pod().replace(LINE, f"{LINE}  {IGNORE}"))).splitlines()
    assert [line for line in shown if line.strip().startswith("=")] == ["     = hint: remove the comment"]


def test_a_malformed_comment_is_an_error_and_an_unused_one_a_warning(file: Path) -> None:
    report = _check(file, good_pod().replace(LINE, f"{LINE}  # percard: ignore[memory-step]\n  # x\n  {IGNORE}"))
    assert [located.finding.severity for located in report.findings] == ["error", "warning"]


def test_the_finding_about_a_comment_is_at_the_comment(file: Path) -> None:
    report = _check(file, f"a: 1\n---\n{good_pod().replace(LINE, f'{LINE}  {IGNORE}')}")
    (located,) = report.findings
    # Line 15 of the pod, two lines further down; the comment stands two blanks behind 41 columns.
    assert located.position == (17, 43, 17, 43 + len(IGNORE))


def test_what_looks_like_a_comment_inside_text_is_none(file: Path) -> None:
    text = good_pod().replace("spec:", f'  annotations: {{note: "a {IGNORE}"}}\nspec:', 1)
    assert _figures(_check(file, text)) == ([], [])


def test_accepted_findings_are_listed_in_the_reports(file: Path) -> None:
    report = _check(file, bad_pod().replace(LINE, f"{LINE}  {IGNORE}"))
    found = json.loads(rendered("json", report))
    assert (found["summary"]["suppressed"], found["summary"]["errors"]) == (1, 0)
    assert found["suppressed"][0]["suppression"] == {"kind": "inSource", "reason": "a test cluster"}
    result = json.loads(rendered("sarif", report))["runs"][0]["results"][0]
    assert result["suppressions"] == [{"kind": "inSource", "justification": "a test cluster"}]
    assert "suppressed: '64' is 8192 MiB" in rendered("text", report)
    assert "a test cluster" in rendered("markdown", report)
