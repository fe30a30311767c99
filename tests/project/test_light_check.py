"""`percard check` on one file loads what it needs and no more: its start is what people wait for in an editor or a hook."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: app
  labels:
    volcano.sh/gpu-num: "2"
spec:
  containers:
  - name: app
    image: example.com/app:1
    resources:
      limits:
        volcano.sh/gpu-mem.128Mi: 64
"""
HEAVY = {
    "cryptography",
    "fastapi",
    "fastapi_offline",
    "kubernetes",
    "prometheus_client",
    "pydantic",
    "starlette",
    "structlog",
    "uvicorn",
    "uvloop",
}


@pytest.fixture
def imported(tmp_path: Path) -> set[str]:
    (tmp_path / "pod.yaml").write_text(POD, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PERCARD_")}
    command = [sys.executable, "-X", "importtime", "-m", "webhook.cli", "check", "pod.yaml"]
    answer = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return {line.rpartition("|")[2].strip() for line in answer.stderr.splitlines() if line.startswith("import time:")}


def test_one_file_is_checked_without_server_cluster_client_or_cryptography(imported: set[str]) -> None:
    assert {"webhook.lint.run", "webhook.core.engine"} <= imported
    assert {name.partition(".")[0] for name in imported} & HEAVY == set()
