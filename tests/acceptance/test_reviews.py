"""What is answered to AdmissionReviews that a real kube-apiserver sent, at each endpoint and through both doors.

The table was worked out from the rules by hand: blocks of 128 MiB for Huawei, MiB for Volcengine, GiB for Alibaba.
"""

import base64
import copy
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonpatch
import pytest

from tests.server.process import ROOT, Server
from webhook.admission.scope import ENDPOINTS
from webhook.cli.program import run

REVIEWS = ROOT / "tests" / "reviews"
LIMITS = "percard.webhook/limits"


@dataclass(frozen=True)
class Expected:
    """What one review gets: check ids at /validate (all of them errors), the limits annotation that /mutate writes."""

    dialect: str = ""
    checks: tuple[str, ...] = ()
    limits: str = ""


# 4096 MiB and 30 % over two cards are 2048 MiB and 15 % each.
VOLCENGINE_PATCH = '{"containers":{"worker":{"cards":2,"corePercent":15,"memoryMiB":2048}},"dialect":"volcengine"}'
# 4k is 4000 MiB, all on the one card of the list "1,0"; the container `side` has none.
VOLCENGINE_4K_PATCH = '{"containers":{"a":{"cards":1,"corePercent":30,"memoryMiB":4000}},"dialect":"volcengine"}'
# 64 blocks are 8192 MiB, 4096 on each of two cards; the pod names its scheduler already.
HUAWEI_PATCH = '{"containers":{"worker":{"cards":2,"memoryMiB":4096}},"dialect":"huawei"}'
# 8 GiB over two cards are at least 4096 MiB each.
ALIBABA_PATCH = '{"containers":{"train":{"cards":2,"memoryAtLeast":true,"memoryMiB":4096}},"dialect":"alibaba"}'

EXEMPT = Expected()
ANSWERS = {
    # A stored copy of an uneven StatefulSet: refused, it would leave the StatefulSet stuck.
    "controllerrevision-create": EXEMPT,
    # 65 blocks over two cards are 32.5 each.
    "cronjob-create-uneven": Expected("huawei", ("memory-step",)),
    # 8 GiB on one card.
    "daemonset-create": Expected("alibaba"),
    "deployment-create-volcengine": Expected("volcengine"),
    "deployment-delete": EXEMPT,
    "deployment-scale": EXEMPT,
    "deployment-update-dryrun": Expected("volcengine"),
    "deployment-update-label": Expected("huawei"),
    "deployment-update-status": EXEMPT,
    # The API server copied the template's labels to the Job, the count among them; it stands in the template, too.
    "job-create-alibaba": Expected("alibaba"),
    "pod-binding": EXEMPT,
    "pod-create-alibaba-mutate": Expected("alibaba", limits=ALIBABA_PATCH),
    "pod-create-dryrun": Expected("volcengine", limits=VOLCENGINE_4K_PATCH),
    # Half a block; core refuses it before /validate would see it.
    "pod-create-fraction-mutate": Expected("huawei", ("quantity",)),
    "pod-create-huawei-mutate": Expected("huawei", limits=HUAWEI_PATCH),
    # A whole card and nothing of any dialect.
    "pod-create-plain": EXEMPT,
    "pod-create-quantity-4k": Expected("volcengine", limits=VOLCENGINE_4K_PATCH),
    # 20 % and 64 blocks over three cards: 6 2/3 % and 21 1/3 blocks each.
    "pod-create-uneven-split": Expected("huawei", ("core-step", "memory-step")),
    "pod-create-volcengine-mutate": Expected("volcengine", limits=VOLCENGINE_PATCH),
    "pod-create-volcengine-validate": Expected("volcengine", limits=VOLCENGINE_PATCH),
    "pod-delete": EXEMPT,
    "pod-ephemeralcontainers": EXEMPT,
    "pod-eviction": EXEMPT,
    "pod-resize": EXEMPT,
    "pod-update-label": Expected("volcengine"),
    "replicaset-create-huawei": Expected("huawei"),
    "replicaset-create-volcengine": Expected("volcengine"),
    # 65 blocks on one card.
    "replicationcontroller-create": Expected("huawei"),
    # 8 GiB over three cards.
    "statefulset-create-uneven": Expected("alibaba", ("memory-step",)),
    # A custom resource; its quantity is a JSON number.
    "vcjob-create": Expected("huawei"),
}
CASES = [pytest.param(name, endpoint, id=f"{name} at {endpoint}") for name in ANSWERS for endpoint in ENDPOINTS]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("server"), "--self-signed") as running:
        running.wait_for("serving")
        yield running


def _recorded(name: str) -> bytes:
    return (REVIEWS / f"{name}.json").read_bytes()


def _check_ids(texts: list[str]) -> tuple[str, ...]:
    """Return the check ids in brackets at the end of each text."""
    return tuple(text.rpartition("[")[2].removesuffix("]") for text in texts)


def _patched(name: str, response: dict[str, Any]) -> Any:
    operations = json.loads(base64.b64decode(response["patch"]))
    return jsonpatch.apply_patch(json.loads(_recorded(name))["request"]["object"], operations)


def test_every_recorded_review_is_in_the_table() -> None:
    assert {path.stem for path in REVIEWS.glob("*.json")} == set(ANSWERS)


@pytest.mark.parametrize(("name", "endpoint"), CASES)
def test_a_recorded_review_gets_its_answer(server: Server, name: str, endpoint: str) -> None:
    status, body = server.call(f"/{endpoint}?timeout=10s", _recorded(name))
    answer = json.loads(body)
    response = answer.pop("response")
    assert (status, answer) == (200, {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview"})
    assert response["uid"] == json.loads(_recorded(name))["request"]["uid"]
    expected = ANSWERS[name]
    {"mutate": _is_mutated, "validate": _is_judged, "validate/warn": _is_warned, "validate/audit": _is_audited}[endpoint](
        name, expected, response
    )
    audit = response.get("auditAnnotations", {})
    if endpoint != "mutate" or expected.limits:
        assert audit.get("dialect", "") == expected.dialect
        assert audit.get("checks", "") == ",".join(expected.checks)


def _is_mutated(name: str, expected: Expected, response: dict[str, Any]) -> None:
    assert response["allowed"] is True
    assert not {"status", "warnings"} & response.keys()
    if not expected.limits:
        assert not {"patch", "patchType"} & response.keys()
        return
    assert response["patchType"] == "JSONPatch"
    wanted = copy.deepcopy(json.loads(_recorded(name))["request"]["object"])
    wanted["metadata"].setdefault("annotations", {})[LIMITS] = expected.limits
    assert _patched(name, response) == wanted


def _is_judged(_: str, expected: Expected, response: dict[str, Any]) -> None:
    assert not {"patch", "patchType", "warnings"} & response.keys()
    assert response["allowed"] is not bool(expected.checks)
    if expected.checks:
        status = response["status"]
        assert (status["code"], status["reason"]) == (422, "Invalid")
        assert _check_ids([cause["message"] for cause in status["details"]["causes"]]) == expected.checks
        assert all(cause["field"] in status["message"] for cause in status["details"]["causes"])


def _is_warned(_: str, expected: Expected, response: dict[str, Any]) -> None:
    assert response["allowed"] is True
    assert not {"patch", "patchType", "status"} & response.keys()
    assert _check_ids(response.get("warnings", [])) == expected.checks


def _is_audited(_: str, __: Expected, response: dict[str, Any]) -> None:
    assert response["allowed"] is True
    assert not {"patch", "patchType", "status", "warnings"} & response.keys()


@pytest.mark.parametrize("name", [name for name, expected in ANSWERS.items() if expected.limits])
def test_what_was_patched_is_allowed_and_not_patched_again(server: Server, name: str) -> None:
    review = json.loads(_recorded(name))
    response = json.loads(server.call("/mutate", _recorded(name))[1])["response"]
    review["request"]["object"] = _patched(name, response)
    for endpoint in ("mutate", "validate"):
        again = json.loads(server.call(f"/{endpoint}", json.dumps(review).encode())[1])["response"]
        assert again["allowed"] is True
        assert not {"patch", "patchType", "warnings"} & again.keys()


@pytest.mark.parametrize(("name", "endpoint"), CASES)
def test_the_command_line_gives_the_bytes_of_the_server(
    server: Server, name: str, endpoint: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    code = run(["review", "--endpoint", endpoint, str(REVIEWS / f"{name}.json")])
    assert capfdbinary.readouterr() == (server.call(f"/{endpoint}", _recorded(name))[1], b"")
    assert code == (1 if endpoint == "validate" and ANSWERS[name].checks else 0)


def test_the_program_itself_gives_the_bytes_of_the_server(server: Server, tmp_path: Path) -> None:
    name = "pod-create-uneven-split"
    copied = tmp_path / "review.json"
    copied.write_bytes(_recorded(name))
    done = subprocess.run([sys.executable, "-m", "webhook.cli", "review", str(copied)], cwd=ROOT, capture_output=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == (server.call("/validate", _recorded(name))[1], b"", 1)
