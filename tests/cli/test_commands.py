"""What each command prints, from the real program."""

import base64
import json
from pathlib import Path

import pytest

from tests.cli.program import ROOT, percard
from tests.lint.manifests import PLAIN, bad_pod, good_pod


def test_check_writes_several_reports_at_once(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(bad_pod(), encoding="utf-8")
    answer = percard("check", "a.yaml", "-o", "text", "-o", "json=a.json", "-o", "sarif=a.sarif", cwd=tmp_path)
    assert answer.returncode == 1
    assert answer.stdout.startswith("a.yaml:15:37: error: ")
    assert json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["summary"]["errors"] == 1
    assert json.loads((tmp_path / "a.sarif").read_text(encoding="utf-8"))["runs"][0]["results"][0]["ruleId"] == "memory-step"


def test_check_leaves_out_what_is_excluded(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(bad_pod(), encoding="utf-8")
    assert percard("check", "--exclude", "a.*", ".", cwd=tmp_path).returncode == 0


def test_check_with_several_processes_prints_the_same(tmp_path: Path) -> None:
    for number in range(150):
        (tmp_path / f"{number}.yaml").write_text(bad_pod() if number % 2 else PLAIN, encoding="utf-8")
    one, two = (percard("check", "-j", jobs, ".", cwd=tmp_path) for jobs in ("1", "2"))
    assert (one.returncode, one.stdout) == (two.returncode, two.stdout)
    assert one.stdout.count("[memory-step]") == 75


@pytest.mark.parametrize(
    ("file", "endpoint", "allowed", "code"),
    [
        ("pod-create-uneven-split.json", "validate", False, 1),
        ("pod-create-uneven-split.json", "validate/warn", True, 0),
        ("pod-create-uneven-split.json", "validate/audit", True, 0),
        ("pod-create-huawei-mutate.json", "mutate", True, 0),
    ],
)
def test_review(file: str, endpoint: str, allowed: bool, code: int) -> None:  # noqa: FBT001 - a parameter
    answer = percard("review", "--endpoint", endpoint, ROOT / "tests/reviews" / file)
    response = json.loads(answer.stdout)["response"]
    assert (response["allowed"], answer.returncode) == (allowed, code)
    if endpoint == "mutate":
        assert {operation["op"] for operation in json.loads(base64.b64decode(response["patch"]))} <= {"add", "replace"}


def test_review_of_what_is_no_review() -> None:
    answer = percard("review", "-", stdin="{}")
    assert (answer.returncode, answer.stdout) == (3, "")
    assert answer.stderr.startswith("percard: -: ")


def test_checks_are_listed_and_have_pages() -> None:
    rows = percard("checks").stdout.splitlines()
    assert [row.split()[0] for row in rows] == sorted(row.split()[0] for row in rows)
    assert {row.split()[1] for row in rows} == {"error", "warning"}
    assert percard("checks", "memory-step").stdout.startswith("memory-step\n\nMemory ")


@pytest.mark.parametrize(
    ("check", "end"),
    [
        ("memory-step", "Repair: `percard fix`\n"),
        ("scheduler-conflict", "Repair: `percard fix --unsafe`, as another choice may be behind it\n"),
        ("mixed-dialects", "Repair: by hand\n"),
    ],
)
def test_the_page_of_a_check_says_whether_it_is_repaired(check: str, end: str) -> None:
    assert percard("checks", check).stdout.endswith(end)


def test_checks_show_the_severity_in_force() -> None:
    rows = percard("checks", PERCARD_CHECKS__MEMORY_STEP__SEVERITY="off").stdout.splitlines()
    assert [row.split()[1] for row in rows if row.startswith("memory-step ")] == ["off"]


def test_dialects_are_listed_and_have_pages() -> None:
    rows = [row.split()[:2] for row in percard("dialects").stdout.splitlines()[1:]]
    assert [name for name, known in rows if known == "everywhere"] == ["alibaba", "huawei", "volcengine"]
    assert "hami" in [name for name, _ in rows]
    assert "volcano.sh/gpu-num" in percard("dialects", "huawei").stdout


def test_config_says_where_each_setting_comes_from(tmp_path: Path) -> None:
    (tmp_path / "percard.yaml").write_text("inject_env: true\n", encoding="utf-8")
    answer = percard("config", "--config", "percard.yaml", cwd=tmp_path, PERCARD_WORKLOADS="warning")
    rows = {row.split(":")[0]: row for row in answer.stdout.splitlines()}
    assert "percard.yaml" in rows["inject_env"]
    assert "PERCARD_WORKLOADS" in rows["workloads"]
    assert rows["annotation_prefix"].endswith("# default")


def test_version() -> None:
    assert percard("--version").stdout.startswith("percard ")


@pytest.mark.parametrize(
    "command", ["baseline", "check", "checks", "config", "convert", "dialects", "explain", "fix", "patch", "review", "serve"]
)
def test_every_command_has_a_page_with_examples_and_exit_codes(command: str) -> None:
    page = percard(command, "--help").stdout
    assert all(part in page for part in ("Examples:", "Exit codes:", "--config FILE", f"percard {command}"))


def test_good_pods_from_a_pipe_are_clean() -> None:
    answer = percard("check", "-", stdin=good_pod())
    assert answer.stdout == "0 errors, 0 warnings in 1 GPU pod of 1 file\n"
