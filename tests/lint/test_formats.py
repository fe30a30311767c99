"""Each output is what its readers expect: parsed by a reader of its own, and checked for what they rely on."""

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from tests.lint.manifests import bad_pod, good_pod
from webhook import build_engine
from webhook.lint.output import Context, format_named, format_names
from webhook.lint.report import Report
from webhook.lint.run import Checker

SCHEMAS = json.loads(Path(__file__).with_name("schemas.json").read_text(encoding="utf-8"))
HOSTILE = 'a<b>&\\"]]>\\u001b[31m %0A::error::x|`#\\u202e'
ENGINE = build_engine()
CONTEXT = Context(version=lambda: "1.2.3", checks=ENGINE.checks)
Render = Callable[..., str]


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Report:
    """Return a report on an error, a warning in a hostile name, and an unreadable file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a b.yaml").write_text(bad_pod(), encoding="utf-8")
    named = good_pod().replace("name: app", f'name: "{HOSTILE}"\n      securityContext: {{privileged: true}}')
    (tmp_path / "ü.yaml").write_text(named, encoding="utf-8")
    (tmp_path / "broken.yaml").write_text("volcano.sh/gpu-num: [\n", encoding="utf-8")
    return Checker(ENGINE).check(["a b.yaml", "ü.yaml", "broken.yaml"])


def _rendered(name: str, report: Report) -> str:
    text = format_named(name).render(report, CONTEXT)
    assert text.endswith("\n")
    return text


def _checked(name: str, value: Any) -> Any:
    jsonschema.validate(value, SCHEMAS[name], cls=jsonschema.Draft202012Validator)
    return value


def test_every_format_says_what_it_is_for() -> None:
    assert [format_named(name).name for name in format_names()] == format_names()
    assert all(format_named(name).summary for name in format_names())


@pytest.mark.parametrize("name", format_names())
def test_an_empty_report_is_rendered(name: str) -> None:
    assert isinstance(format_named(name).render(Report(), CONTEXT), str)


@pytest.mark.parametrize("name", format_names())
def test_nothing_in_a_manifest_can_steer_a_terminal(name: str, report: Report) -> None:
    assert set(_rendered(name, report)) & {"\x1b", "\r", "\x00"} == set()


def test_json(report: Report) -> None:
    found = _checked("json", json.loads(_rendered("json", report)))
    assert found["summary"] == {
        "files": 3,
        "skipped": 0,
        "documents": 3,
        "pods": 2,
        "errors": 1,
        "warnings": 1,
        "suppressed": 0,
        "unreadable": 1,
    }
    first = found["findings"][0]
    assert {key: first[key] for key in ("check", "file", "document", "line", "column", "endLine", "endColumn", "container", "value")} == {
        "check": "memory-step",
        "file": "a b.yaml",
        "document": 0,
        "line": 15,
        "column": 37,
        "endLine": 15,
        "endColumn": 41,
        "container": "app",
        "value": "64",
    }
    assert first["field"] == "spec.containers[0].resources.limits[volcano.sh/gpu-mem.128Mi]"
    assert (found["unreadable"][0]["file"], found["unreadable"][0]["line"]) == ("broken.yaml", 2)


def test_sarif(report: Report) -> None:
    run = _checked("sarif", json.loads(_rendered("sarif", report)))["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    first = run["results"][0]
    place = first["locations"][0]["physicalLocation"]
    assert run["columnKind"] == "unicodeCodePoints"
    assert rules[first["ruleIndex"]]["id"] == first["ruleId"] == "memory-step"
    assert place["artifactLocation"] == {"uri": "a%20b.yaml", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": 15, "startColumn": 37, "endLine": 15, "endColumn": 41}
    assert run["invocations"][0]["executionSuccessful"] is False
    assert len({result["partialFingerprints"]["percard/v1"] for result in run["results"]}) == 2


def test_a_fingerprint_survives_a_move_to_another_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    prints = []
    for text in (bad_pod(), f"# moved\n\n{bad_pod()}"):
        Path("a.yaml").write_text(text, encoding="utf-8")
        found = json.loads(_rendered("gitlab", Checker(ENGINE).check(["a.yaml"])))
        prints.append((found[0]["fingerprint"], found[0]["location"]["lines"]["begin"]))
    assert prints[0][0] == prints[1][0]
    assert (prints[0][1], prints[1][1]) == (15, 17)


def test_gitlab(report: Report) -> None:
    found = _checked("gitlab", json.loads(_rendered("gitlab", report)))
    assert [issue["severity"] for issue in found] == ["critical", "minor", "blocker"]
    assert len({issue["fingerprint"] for issue in found}) == 3


def test_junit(report: Report) -> None:
    root = ET.fromstring(_rendered("junit", report))  # noqa: S314 - our own output
    assert root.attrib == {"name": "percard", "tests": "3", "failures": "1", "errors": "1"}
    suites = {suite.attrib["name"]: suite for suite in root}
    assert {name: (suite.attrib["tests"], suite.attrib["failures"], suite.attrib["errors"]) for name, suite in suites.items()} == {
        "broken.yaml": ("1", "0", "1"),
        "a b.yaml": ("1", "1", "0"),
        "ü.yaml": ("1", "0", "0"),
    }
    assert suites["a b.yaml"].find("testcase/failure").attrib["type"] == "memory-step"  # type: ignore[union-attr]
    assert suites["ü.yaml"].find("testcase/system-out") is not None


def test_junit_of_a_clean_run_has_a_passed_case() -> None:
    root = ET.fromstring(_rendered("junit", Report(files=1)))  # noqa: S314 - our own output
    assert [(case.attrib["name"], len(case)) for case in root.iter("testcase")] == [("all files", 0)]


def test_tap(report: Report) -> None:
    lines = _rendered("tap", report).splitlines()
    assert lines[:2] == ["TAP version 14", "1..3"]
    points = [line for line in lines if not line.startswith(" ")][2:]
    assert [point.split(" - ")[0] for point in points] == ["not ok 1", "not ok 2", "ok 3"]
    blocks = "\n".join(lines).split("  ---\n")[1:]
    details = [yaml.safe_load(block.split("\n  ...")[0]) for block in blocks]
    assert details[1]["at"] == {"file": "a b.yaml", "line": 15, "column": 37}


def _github(line: str) -> tuple[str, dict[str, str], str]:
    """Parse a workflow command as actions/runner does."""
    command, _, message = line.removeprefix("::").partition("::")
    level, _, listed = command.partition(" ")
    properties = dict(pair.split("=", 1) for pair in listed.split(","))
    decoded = {key: value.replace("%3A", ":").replace("%2C", ",").replace("%25", "%") for key, value in properties.items()}
    return level, decoded, message.replace("%25", "%")


def test_github(report: Report) -> None:
    commands = [_github(line) for line in _rendered("github", report).splitlines()]
    assert [level for level, _, _ in commands] == ["error", "error", "warning"]
    # GitHub's endColumn is the last column itself.
    assert commands[1][1] == {
        "file": "a b.yaml",
        "title": "percard: memory-step",
        "line": "15",
        "endLine": "15",
        "col": "37",
        "endColumn": "40",
    }
    assert "%0A::error::x" in commands[2][2]


def test_github_shows_ten_of_a_level_and_counts_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text("---\n".join([bad_pod()] * 13), encoding="utf-8")
    lines = _rendered("github", Checker(ENGINE).check(["a.yaml"])).splitlines()
    assert (len(lines), lines[-1].startswith("::notice title=percard::3 more")) == (11, True)


def test_markdown_keeps_its_table(report: Report) -> None:
    rows = [line for line in _rendered("markdown", report).splitlines() if line.startswith("| ")]
    assert len(rows) == 4
    # Four cells: every other bar is escaped.
    assert {line.replace("\\|", "").count("|") for line in rows} == {5}


def test_text_marks_the_range(report: Report) -> None:
    lines = _rendered("text", report).splitlines()
    source = lines.index('  15 |           volcano.sh/gpu-mem.128Mi: "64"')
    assert lines[source - 1].startswith("a b.yaml:15:37: error: container 'app': '64' is 8192 MiB over 3 cards")
    marks = lines[source + 1]
    assert marks.strip("| ") == "^^^^"
    assert lines[source][marks.index("^") : marks.rindex("^") + 1] == '"64"'


def test_text_marks_behind_wide_characters(tmp_path: Path) -> None:
    # 日 and 本 take two cells each, the combining accent none: one cell more than there are characters.
    line = 'limits: {"日本": 1, "e\u0301": 1, volcano.sh/gpu-mem.128Mi: "64"}'
    text = bad_pod().replace('limits:\n          volcano.sh/gpu-mem.128Mi: "64"', line)
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
    lines = _rendered("text", Checker(ENGINE).check([str(tmp_path / "a.yaml")])).splitlines()
    source = next(number for number, found in enumerate(lines) if "日" in found)
    assert lines[source + 1].index("^") == lines[source].index('"64"') + 1


def test_text_is_coloured_only_where_asked(report: Report) -> None:
    text = format_named("text")
    assert "\x1b[" not in text.render(report, CONTEXT)
    assert "\x1b[1;31merror\x1b[0m" in text.render(report, CONTEXT._replace(color=True))
