"""What becomes of a body: a reply, a count and a line, whatever happens."""

import json
import time
from typing import Any

import pytest

from tests.admission.samples import UID, ScriptedEngine, review
from tests.server.process import review_bytes
from tests.server.samples import desk_with
from webhook.admission.scope import ENDPOINTS
from webhook.core.engine import Verdict
from webhook.core.share import Stage

PATCHED = review_bytes("pod-create-volcengine-mutate")
DENIED = review_bytes("pod-create-uneven-split")
PLAIN = review_bytes("pod-create-plain")
CANARY = "s3cr3t-canary"


def _with_canary(body: bytes) -> bytes:
    """Return the review with a secret in the environment, in an annotation and in the user's identity."""
    recorded = json.loads(body)
    pod = recorded["request"]["object"]
    pod["spec"]["containers"][0]["env"] = [{"name": "TOKEN", "value": CANARY}]
    pod["metadata"].setdefault("annotations", {})["kubectl.kubernetes.io/last-applied-configuration"] = CANARY
    recorded["request"]["userInfo"]["extra"] = {"token": [CANARY]}
    return json.dumps(recorded).encode()


def test_a_patch_is_told_in_one_line() -> None:
    desk, _, kept = desk_with()
    desk.answer("mutate", PATCHED)
    [line] = kept.lines
    assert line.pop("time").endswith("+00:00")
    assert line == {
        "event": "admission patched",
        "level": "info",
        "uid": "58e4b913-ce21-4671-b30e-c1a69ba6cf84",
        "endpoint": "mutate",
        "operation": "CREATE",
        "kind": "Pod",
        "namespace": "default",
        "name": "mgpu-demo-68f9688fbc-",
        "dialects": ["volcengine"],
        "allowed": True,
        "checks": [],
        "patch_operations": 1,
    }


def test_a_denial_is_told_with_its_checks() -> None:
    desk, _, kept = desk_with()
    desk.answer("validate", DENIED)
    [line] = kept.lines
    assert (line["event"], line["allowed"], line["checks"]) == ("admission denied", False, ["core-step", "memory-step"])


def test_a_pass_is_told_at_debug_alone() -> None:
    for level, count in (("info", 0), ("debug", 1)):
        desk, _, kept = desk_with(level=level)
        desk.answer("validate", PLAIN)
        assert len(kept.lines) == count


def test_requests_findings_and_operations_are_counted() -> None:
    desk, counters, _ = desk_with()
    for _ in range(2):
        desk.answer("mutate", PATCHED)
    desk.answer("validate", DENIED)
    desk.answer("validate", PLAIN)
    assert counters.requests == {
        ("mutate", "CREATE", "volcengine", "patched"): 2,
        ("validate", "CREATE", "huawei", "denied"): 1,
        ("validate", "CREATE", "none", "allowed"): 1,
    }
    assert counters.findings == {("core-step", "huawei", "error"): 1, ("memory-step", "huawei", "error"): 1}
    assert counters.patches == {("volcengine",): 2}
    assert [sum(counters.durations[(endpoint,)].counts) for endpoint in ENDPOINTS] == [2, 2, 0, 0]
    assert counters.body.total == 2 * len(PATCHED) + len(DENIED) + len(PLAIN)


def test_an_unknown_operation_is_counted_as_other() -> None:
    desk, counters, _ = desk_with()
    for operation in ("FROB", "", "x" * 1000):
        desk.answer("validate", review(operation))
    assert counters.requests == {("validate", "other", "none", "allowed"): 3}


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_a_fault_of_percard_is_a_500_without_a_trace_and_the_next_call_works(endpoint: Any) -> None:
    engine = ScriptedEngine(fault=KeyError(CANARY))
    desk, counters, kept = desk_with(engine)
    reply = desk.answer(endpoint, review())
    assert reply.status == 500
    assert json.loads(reply.body) == {"error": "a fault of percard itself; its log says where"}
    [line] = kept.lines
    assert (line["event"], line["uid"], line["exception"]) == ("fault", UID, "KeyError")
    assert "samples.py" in line["trace"][-1]
    assert CANARY not in kept.texts[0]
    assert (counters.faults, counters.refused) == (1, {("500",): 1})
    engine.fault = None
    assert desk.answer(endpoint, review()).status == 200


@pytest.mark.parametrize("level", ["debug", "info"])
def test_no_value_of_an_object_and_no_identity_gets_into_the_log(level: str) -> None:
    desk, _, kept = desk_with(level=level)
    for endpoint in ENDPOINTS:
        for body in (PATCHED, DENIED, PLAIN):
            assert desk.answer(endpoint, _with_canary(body)).status == 200
        desk.answer(endpoint, _with_canary(PLAIN)[:-3])
        desk.answer(endpoint, _with_canary(PLAIN).replace(b'"admission.k8s.io/v1"', b'"v2"'))
    assert len(kept.texts) > 8
    assert CANARY not in "".join(kept.texts)


def test_no_value_of_an_object_gets_into_an_answer() -> None:
    desk, _, _ = desk_with()
    for endpoint in ENDPOINTS:
        for body in (PATCHED, DENIED, PLAIN):
            assert CANARY.encode() not in desk.answer(endpoint, _with_canary(body)).body


def test_names_are_logged_no_longer_than_a_name_can_be() -> None:
    desk, _, kept = desk_with()
    recorded = json.loads(DENIED)
    recorded["request"] |= {"name": "n" * 100_000, "namespace": "m" * 100_000, "uid": "u" * 100_000}
    desk.answer("validate", json.dumps(recorded).encode())
    assert len(kept.texts[0]) < 2000


class SlowEngine(ScriptedEngine):
    """An engine that takes its time."""

    def examine(self, obj: Any, old: Any = None, *, stage: Stage = Stage.MANIFEST) -> Verdict:
        """Wait, then say nothing."""
        time.sleep(0.02)
        return super().examine(obj, old, stage=stage)


def test_an_answer_after_the_callers_time_limit_says_so() -> None:
    desk, counters, _ = desk_with(SlowEngine())
    reply = desk.answer("validate", review(), 0.01)
    assert (reply.status, json.loads(reply.body)) == (503, {"error": "the answer took longer than the caller's time limit of 0.01 s"})
    assert counters.refused == {("503",): 1}
    assert desk.answer("validate", review(), 10.0).status == 200


def test_bad_reviews_do_not_flood_the_log() -> None:
    desk, counters, kept = desk_with()
    for _ in range(500):
        assert desk.answer("validate", b"{}").status == 400
    assert len(kept.lines) == 10
    assert counters.refused == {("400",): 500}
