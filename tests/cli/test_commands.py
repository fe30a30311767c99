"""What each command prints, from the real program."""

import base64
import json
from pathlib import Path
from typing import Any

import jsonpatch
import pytest
import yaml

from tests.cli.program import ROOT, percard
from tests.lint.manifests import PLAIN, bad_pod, good_pod

DEPLOYMENT = """\
# kept by nobody
apiVersion: apps/v1
kind: Deployment
metadata:
  name: app
spec:
  template:
    metadata:
      labels:
        volcano.sh/gpu-num: "2"
    spec:
      containers:
        - name: app
          image: example.com/app:1
          resources:
            limits:
              volcano.sh/gpu-mem.128Mi: "64"
              volcano.sh/gpu-core.percentage: "30"
"""
# 64 blocks of 128 MiB are 8192 MiB: 4096 on each of two cards; 30 % are 15 on each.
LIMITS = '{"containers":{"app":{"cards":2,"corePercent":15,"memoryMiB":4096}},"dialect":"huawei"}'


def _patched() -> dict[str, Any]:
    expected: dict[str, Any] = yaml.safe_load(DEPLOYMENT)
    template = expected["spec"]["template"]
    template["metadata"]["annotations"] = {"percard.webhook/limits": LIMITS}
    template["spec"]["schedulerName"] = "volcano"
    return expected


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


@pytest.mark.parametrize("spelling", ["yaml", "json"])
def test_patch_prints_the_whole_manifest(spelling: str) -> None:
    answer = percard("patch", "-o", spelling, "-", stdin=DEPLOYMENT)
    assert answer.returncode == 0, answer.stderr
    assert (yaml.safe_load if spelling == "yaml" else json.loads)(answer.stdout) == _patched()


def test_patch_as_json_patch() -> None:
    answer = percard("patch", "-o", "jsonpatch", "-", stdin=f"{DEPLOYMENT}---\n{PLAIN}")
    first, second = map(json.loads, answer.stdout.splitlines())
    assert jsonpatch.apply_patch(yaml.safe_load(DEPLOYMENT), first) == _patched()
    assert second == []


def test_patch_keeps_the_other_documents_and_those_with_errors() -> None:
    answer = percard("patch", "-", stdin=f"{PLAIN}---\n{bad_pod()}---\n{DEPLOYMENT}")
    assert list(yaml.safe_load_all(answer.stdout)) == [yaml.safe_load(PLAIN), yaml.safe_load(bad_pod()), _patched()]
    assert answer.returncode == 1
    assert answer.stderr.startswith("-:20:37: error: container 'app': ")


def test_patch_makes_one_list_of_json() -> None:
    answer = percard("patch", "-o", "json", "-", stdin=f"{PLAIN}---\n{PLAIN}")
    assert json.loads(answer.stdout) == {"apiVersion": "v1", "kind": "List", "items": [yaml.safe_load(PLAIN)] * 2}


def test_what_is_patched_needs_no_patch() -> None:
    once = percard("patch", "-", stdin=DEPLOYMENT).stdout
    assert percard("patch", "-", stdin=once).stdout == once
    assert percard("patch", "-o", "jsonpatch", "-", stdin=once).stdout == "[]\n"


def test_patch_does_not_touch_what_an_alias_shares() -> None:
    pods = """\
- apiVersion: v1
  kind: Pod
  metadata: {name: a, labels: &labels {volcano.sh/gpu-num: "2"}}
  spec: &spec {containers: [{name: app, resources: {limits: {volcano.sh/gpu-mem.128Mi: 64}}}]}
- apiVersion: v1
  kind: Pod
  metadata: {name: b, labels: *labels}
  spec: *spec
"""
    found = json.loads(percard("patch", "-o", "json", "-", stdin=f"apiVersion: v1\nkind: List\nitems:\n{pods}").stdout)
    assert [item["spec"]["schedulerName"] for item in found["items"]] == ["volcano", "volcano"]
    assert all("percard.webhook/limits" in item["metadata"]["annotations"] for item in found["items"])


def test_explain_as_json() -> None:
    answer = percard("explain", "-o", "json", "-", stdin=f"{DEPLOYMENT}---\n{bad_pod()}")
    found = json.loads(answer.stdout)
    assert found["version"] == 1
    assert found["pods"][0] == {
        "file": "-",
        "document": 0,
        "kind": "Deployment",
        "namespace": "",
        "name": "app",
        "dialect": "huawei",
        "scheduler": "volcano",
        "containers": [
            {
                "name": "app",
                "cards": 2,
                "totalMemoryMiB": 8192,
                "totalCorePercent": 30,
                "perCard": {"memoryMiB": 4096, "corePercent": 15},
                "whole": False,
                "memoryAtLeast": False,
            }
        ],
    }
    assert found["pods"][1]["containers"][0]["perCard"] == {"memoryMiB": "8192/3", "corePercent": None}
    assert answer.returncode == 1


def test_explain_as_text() -> None:
    answer = percard("explain", "-", stdin=DEPLOYMENT)
    heading, titles, row = answer.stdout.splitlines()[:3]
    assert (heading, answer.returncode) == ("Deployment app (huawei, scheduler volcano)", 0)
    assert titles.split() == ["CONTAINER", "CARDS", "MEMORY", "COMPUTE", "MEMORY/CARD", "COMPUTE/CARD"]
    assert row.split("  ")[-1].strip() == "15 %"


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


def test_checks_show_the_severity_in_force() -> None:
    rows = percard("checks", PERCARD_CHECKS__MEMORY_STEP__SEVERITY="off").stdout.splitlines()
    assert [row.split()[1] for row in rows if row.startswith("memory-step ")] == ["off"]


def test_dialects_are_listed_and_have_pages() -> None:
    assert [row.split()[0] for row in percard("dialects").stdout.splitlines()] == ["alibaba", "huawei", "volcengine"]
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


@pytest.mark.parametrize("command", ["check", "checks", "config", "dialects", "explain", "patch", "review", "serve"])
def test_every_command_has_a_page_with_examples_and_exit_codes(command: str) -> None:
    page = percard(command, "--help").stdout
    assert all(part in page for part in ("Examples:", "Exit codes:", "--config FILE", f"percard {command}"))


def test_good_pods_from_a_pipe_are_clean() -> None:
    answer = percard("check", "-", stdin=good_pod())
    assert answer.stdout == "0 errors, 0 warnings in 1 GPU pod of 1 file\n"
