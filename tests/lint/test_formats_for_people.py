"""Each output for people marks the right characters and keeps its shape, whatever stands in a manifest."""

from pathlib import Path

import pytest

from tests.lint.manifests import bad_pod
from tests.lint.rendering import CONTEXT, ENGINE, rendered
from webhook.lint.output import format_named
from webhook.lint.report import Report
from webhook.lint.run import Checker


def _github(line: str) -> tuple[str, dict[str, str], str]:
    """Parse a workflow command as actions/runner does."""
    command, _, message = line.removeprefix("::").partition("::")
    level, _, listed = command.partition(" ")
    properties = dict(pair.split("=", 1) for pair in listed.split(","))
    decoded = {key: value.replace("%3A", ":").replace("%2C", ",").replace("%25", "%") for key, value in properties.items()}
    return level, decoded, message.replace("%25", "%")


def test_github(report: Report) -> None:
    commands = [_github(line) for line in rendered("github", report).splitlines()]
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
    lines = rendered("github", Checker(ENGINE).check(["a.yaml"])).splitlines()
    assert (len(lines), lines[-1].startswith("::notice title=percard::3 more")) == (11, True)


def test_markdown_keeps_its_table(report: Report) -> None:
    rows = [line for line in rendered("markdown", report).splitlines() if line.startswith("| ")]
    assert len(rows) == 4
    # Four cells: every other bar is escaped.
    assert {line.replace("\\|", "").count("|") for line in rows} == {5}


def test_text_marks_the_range(report: Report) -> None:
    lines = rendered("text", report).splitlines()
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
    lines = rendered("text", Checker(ENGINE).check([str(tmp_path / "a.yaml")])).splitlines()
    source = next(number for number, found in enumerate(lines) if "日" in found)
    assert lines[source + 1].index("^") == lines[source].index('"64"') + 1


def test_text_is_coloured_only_where_asked(report: Report) -> None:
    text = format_named("text")
    assert "\x1b[" not in text.render(report, CONTEXT)
    assert "\x1b[1;31merror\x1b[0m" in text.render(report, CONTEXT._replace(color=True))
