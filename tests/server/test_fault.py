"""A fault of percard itself in a running server, made by a broken check that is dropped into a copy of the package."""

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.process import PATIENCE_SECONDS, ROOT, Server, call_on, review_bytes

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
UID = b"58e4b913-ce21-4671-b30e-c1a69ba6cf84"
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


def _told(server: Server, field: str, value: str) -> dict[str, Any]:
    """Return the one line about a fault that has this value; lines are written some milliseconds after the answer."""
    over = time.monotonic() + PATIENCE_SECONDS
    while not (lines := [line for line in server.lines("fault") if line.get(field) == value]):
        assert time.monotonic() < over
        time.sleep(0.01)
    [line] = lines
    return line


@pytest.mark.parametrize("endpoint", ["mutate", "validate", "validate/warn", "validate/audit"])
def test_a_fault_is_a_500_in_json_with_the_uid_in_the_log_one_count_and_a_next_call_that_works(broken: Server, endpoint: str) -> None:
    before = broken.metric("percard_faults_total")
    uid = f"uid-of-{endpoint}"
    connection = broken.connect()
    status, body = call_on(connection, f"/{endpoint}", BAD.replace(UID, uid.encode()))
    assert (status, json.loads(body)) == FAULT
    assert call_on(connection, f"/{endpoint}", GOOD)[0] == 200
    connection.close()
    line = _told(broken, "uid", uid)
    assert (line["endpoint"], line["exception"], line["level"]) == (endpoint, "KeyError", "error")
    assert "broken.py" in line["trace"][-1]
    assert broken.metric("percard_faults_total") == before + 1


def test_a_fault_behind_the_api_is_told_the_same_way(broken: Server) -> None:
    before = broken.metric("percard_faults_total")
    objects = json.dumps({"objects": [json.loads(BAD)["request"]["object"]]}).encode()
    status, body = broken.call("/v1/check", objects)
    assert (status, json.loads(body)) == FAULT
    assert _told(broken, "path", "/v1/check")["exception"] == "KeyError"
    assert broken.metric("percard_faults_total") == before + 1


def test_the_text_of_the_exception_is_nowhere(broken: Server) -> None:
    status, body = broken.call("/validate", BAD.replace(UID, b"uid-of-the-text"))
    _told(broken, "uid", "uid-of-the-text")
    assert status == 500
    assert CANARY.encode() not in body
    assert CANARY not in broken.log_text()
