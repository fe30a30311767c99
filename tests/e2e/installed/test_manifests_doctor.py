"""`percard doctor` against an installation, healthy and damaged."""

import subprocess
import sys
from pathlib import Path

from tests.e2e.installed.api import MERGE_PATCH, Api
from tests.e2e.installed.conftest import Installation
from tests.e2e.installed.installation import CONFIGURATIONS, NAMESPACE
from tests.e2e.installed.overlays import SERVERS_AWAY, TRIED
from tests.e2e.processes import wait_for


def _doctor(installation: Installation, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("percard")
    command: list[str | Path] = [program, "doctor", "--kubeconfig", installation.cluster.kubectl.kubeconfig, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def _lines(answer: subprocess.CompletedProcess[str], sign: str) -> list[str]:
    return [line for line in answer.stdout.splitlines() if line.startswith(sign)]


def test_a_cluster_without_nodes_has_no_servers_and_everything_else_is_well(installation: Installation, overlay: str) -> None:
    answer = _doctor(installation)
    assert answer.stderr == ""
    assert answer.returncode == 1
    assert _lines(answer, "PROBLEM") == [f"PROBLEM servers: none of 2 is ready: {SERVERS_AWAY[overlay]}"]
    assert _lines(answer, "warning") == []
    assert f"ok      answers: {TRIED[overlay]}\n" in answer.stdout
    assert "ok      caBundle: 7 entries trust the served certificate" in answer.stdout
    assert "ok      marks: all " in answer.stdout


def test_a_mark_that_a_condition_forgets_is_told(installation: Installation, api: Api) -> None:
    before = api.get(CONFIGURATIONS[0])
    changed = before["webhooks"][0]
    condition = changed["matchConditions"][0]
    condition["expression"] = condition["expression"].replace("'volcano.sh/gpu-'", "'volcano.sh/gpu-x'")
    assert api.request("PATCH", CONFIGURATIONS[0], {"webhooks": [changed]}, MERGE_PATCH).ok
    try:
        answer = _doctor(installation, "--no-trial")
        assert "PROBLEM marks: pods.percard.webhook does not look for volcano.sh/gpu-: such pods are not judged" in answer.stdout
    finally:
        installation.cluster.kubectl.succeed("apply", "-k", str(installation.overlay))
    wait_for(lambda: "marks: all" in _doctor(installation, "--no-trial").stdout, "the configuration was not restored")


def test_where_nothing_is_installed_that_is_said(installation: Installation) -> None:
    answer = _doctor(installation, "--no-trial", "--namespace", "nowhere")
    assert answer.returncode == 1
    assert "PROBLEM certificate: the Secret percard-tls holds none" in answer.stdout
    assert "PROBLEM servers: there is no Deployment nowhere/percard" in answer.stdout


def test_without_rights_what_may_not_be_read_is_said(installation: Installation) -> None:
    cluster = installation.cluster
    token = cluster.kubectl.succeed("create", "token", "percard", "-n", NAMESPACE).out.strip()
    command: list[str | Path] = [
        Path(sys.executable).with_name("percard"),
        "doctor",
        "--no-trial",
        "--kubeconfig",
        cluster.for_token(token).kubeconfig,
    ]
    answer = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert "PROBLEM configurations: cannot be read: 403 Forbidden" in answer.stdout
    assert "warning certificate: the Secret percard-tls cannot be read: 403 Forbidden" in answer.stdout


def test_a_cluster_that_is_not_there_ends_with_3() -> None:
    program = Path(sys.executable).with_name("percard")
    answer = subprocess.run([program, "doctor", "--kubeconfig", "/nowhere"], capture_output=True, text=True, check=False, timeout=120)
    assert answer.returncode == 3
    assert "percard: no way to the API server" in answer.stderr
