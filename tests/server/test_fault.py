"""A fault of percard itself in a running server, made by a broken check that is dropped into a copy of the package."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.process import ROOT, Server, call_on, review_bytes

CANARY = "s3cr3t-canary"
BROKEN = f'''"""A check that fails on a container called "boom"."""

from collections.abc import Iterator

from webhook.core.finding import Complaint
from webhook.core.plugin import Check
from webhook.core.share import GpuPod


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    for share in gpu.shares:
        if share.name == "boom":
            raise KeyError("{CANARY}")
    yield from ()


CHECK = Check(id="broken", page=__doc__, run=_run)
'''
GOOD = review_bytes("pod-create-volcengine-mutate")
UID = "58e4b913-ce21-4671-b30e-c1a69ba6cf84"
BAD = GOOD.replace(b'"name":"worker"', b'"name":"boom"')
FAULT = (500, {"error": "a fault of percard itself; its log says where"})


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    root = tmp_path_factory.mktemp("copy")
    for package in ("webhook", "certs"):
        shutil.copytree(ROOT / package, root / package, ignore=shutil.ignore_patterns("__pycache__"))
    (root / "webhook" / "checks" / "broken.py").write_text(BROKEN, encoding="utf-8")
    with Server(Path(root), "--self-signed", environ={"PYTHONPATH": str(root)}, root=root) as running:
        running.wait_for("serving")
        yield running


@pytest.mark.parametrize("endpoint", ["mutate", "validate", "validate/warn", "validate/audit"])
def test_a_fault_is_a_500_in_json_with_the_uid_in_the_log_one_count_and_a_next_call_that_works(broken: Server, endpoint: str) -> None:
    before, lines = broken.metric("percard_faults_total"), len(broken.lines("fault"))
    connection = broken.connect()
    status, body = call_on(connection, f"/{endpoint}", BAD)
    assert (status, json.loads(body)) == FAULT
    assert call_on(connection, f"/{endpoint}", GOOD)[0] == 200
    connection.close()
    line = broken.wait_for("fault", lines + 1)
    assert (line["uid"], line["endpoint"], line["exception"], line["level"]) == (UID, endpoint, "KeyError", "error")
    assert "broken.py" in line["trace"][-1]
    assert broken.metric("percard_faults_total") == before + 1
    assert len(broken.lines("fault")) == lines + 1


def test_a_fault_behind_the_api_is_told_the_same_way(broken: Server) -> None:
    before, lines = broken.metric("percard_faults_total"), len(broken.lines("fault"))
    objects = json.dumps({"objects": [json.loads(BAD)["request"]["object"]]}).encode()
    status, body = broken.call("/v1/check", objects)
    assert (status, json.loads(body)) == FAULT
    assert broken.wait_for("fault", lines + 1)["path"] == "/v1/check"
    assert broken.metric("percard_faults_total") == before + 1


def test_the_text_of_the_exception_is_nowhere(broken: Server) -> None:
    status, body = broken.call("/validate", BAD)
    broken.wait_for("fault")
    assert status == 500
    assert CANARY.encode() not in body
    assert CANARY not in broken.log_text()
