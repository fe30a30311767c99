"""Each output for programs is parsed by a reader of its own, and checked for what its readers rely on."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from tests.lint.manifests import bad_pod
from tests.lint.rendering import CONTEXT, ENGINE, rendered
from webhook.lint.output import format_named, format_names
from webhook.lint.report import Report
from webhook.lint.run import Checker

SCHEMAS = json.loads(Path(__file__).with_name("schemas.json").read_text(encoding="utf-8"))


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
    assert set(rendered(name, report)) & {"\x1b", "\r", "\x00"} == set()


def test_json(report: Report) -> None:
    found = _checked("json", json.loads(rendered("json", report)))
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
    run = _checked("sarif", json.loads(rendered("sarif", report)))["runs"][0]
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
        found = json.loads(rendered("gitlab", Checker(ENGINE).check(["a.yaml"])))
        prints.append((found[0]["fingerprint"], found[0]["location"]["lines"]["begin"]))
    assert prints[0][0] == prints[1][0]
    assert (prints[0][1], prints[1][1]) == (15, 17)


def test_gitlab(report: Report) -> None:
    found = _checked("gitlab", json.loads(rendered("gitlab", report)))
    assert [issue["severity"] for issue in found] == ["critical", "minor", "blocker"]
    assert len({issue["fingerprint"] for issue in found}) == 3


def test_junit(report: Report) -> None:
    root = ET.fromstring(rendered("junit", report))  # noqa: S314 - our own output
    assert root.attrib == {"name": "percard", "tests": "3", "failures": "1", "errors": "1"}
    suites = {suite.attrib["name"]: suite for suite in root}
    assert {name: (suite.attrib["tests"], suite.attrib["failures"], suite.attrib["errors"]) for name, suite in suites.items()} == {
        "broken.yaml": ("1", "0", "1"),
        "a b.yaml": ("1", "1", "0"),
        "ü.yaml": ("1", "0", "0"),
    }
    assert suites["a b.yaml"].find("testcase/failure").attrib["type"] == "memory-step"  # type: ignore[union-attr]
    assert suites["ü.yaml"].find("testcase/system-out") is not None


# What each element may hold and must say: the subset of the schemas that Jenkins and pytest publish for JUnit that all readers share.
JUNIT = {
    "testsuites": ({"testsuite"}, {"name", "tests", "failures", "errors"}),
    "testsuite": ({"testcase"}, {"name", "tests", "failures", "errors"}),
    "testcase": ({"failure", "error", "system-out"}, {"name", "classname"}),
    "failure": (set(), {"type", "message"}),
    "error": (set(), {"type", "message"}),
    "system-out": (set(), set()),
}


def test_junit_has_the_elements_and_attributes_that_every_reader_knows(report: Report) -> None:
    for element in ET.fromstring(rendered("junit", report)).iter():  # noqa: S314 - our own output
        children, attributes = JUNIT[element.tag]
        assert {child.tag for child in element} <= children
        assert set(element.attrib) == attributes
        assert len(element) <= 1 or element.tag in ("testsuites", "testsuite")


def test_junit_of_a_clean_run_has_a_passed_case() -> None:
    root = ET.fromstring(rendered("junit", Report(files=1)))  # noqa: S314 - our own output
    assert [(case.attrib["name"], len(case)) for case in root.iter("testcase")] == [("all files", 0)]


def test_tap(report: Report) -> None:
    lines = rendered("tap", report).splitlines()
    assert lines[:2] == ["TAP version 14", "1..3"]
    points = [line for line in lines if not line.startswith(" ")][2:]
    assert [point.split(" - ")[0] for point in points] == ["not ok 1", "not ok 2", "ok 3"]
    blocks = "\n".join(lines).split("  ---\n")[1:]
    details = [yaml.safe_load(block.split("\n  ...")[0]) for block in blocks]
    assert details[1]["at"] == {"file": "a b.yaml", "line": 15, "column": 37}
