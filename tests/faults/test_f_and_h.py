"""Faults of others with availability and security (letters F and H), as far as the engine and the handler are concerned."""

import json
from typing import Any

import pytest

from tests.admission.samples import review
from tests.support.door import ask, operations
from tests.support.pods import ENGINE, MG_LIST, XG_COUNT, Json, container, deployment, huawei, mutated, pod, two_cards, volcengine, xg
from webhook.admission.errors import HandlerFaultError
from webhook.admission.handler import Handler
from webhook.admission.scope import ENDPOINTS
from webhook.core.engine import Engine
from webhook.core.plugin import Check
from webhook.core.rules import Rules

CANARY = "s3cr3t-canary"


def test_f14_requests_and_limits_of_other_resources_are_left_to_quotas_and_ranges() -> None:
    whole = huawei(xg(64), count="2")
    whole["spec"]["containers"][0]["resources"] |= {"requests": {"cpu": "1"}}
    whole["spec"]["containers"][0]["resources"]["limits"]["memory"] = "4Gi"
    paths = {operation["path"] for operation in operations(ask("mutate", whole))}
    assert paths == {"/spec/schedulerName", "/metadata/annotations"}
    assert mutated(whole)["spec"]["containers"] == whole["spec"]["containers"]


def test_f18_what_could_not_be_bound_is_refused_at_creation_and_nothing_is_judged_at_binding() -> None:
    binding = {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "p"}, "target": {"kind": "Node", "name": "n1"}}
    for endpoint in ENDPOINTS:
        assert operations(ask(endpoint, binding, subResource="binding")) == []
    assert ask("validate", huawei(count="3"))["allowed"] is False


def _laden(whole: Json) -> Json:
    """Put a secret wherever a pod may hold one."""
    spec: Any = whole["spec"]
    spec["containers"][0] |= {
        "image": f"{CANARY}:1",
        "command": [CANARY],
        "env": [{"name": "TOKEN", "value": CANARY}, {"name": "NVIDIA_VISIBLE_DEVICES", "value": CANARY}],
    }
    spec["volumes"] = [{"name": "v", "secret": {"secretName": CANARY}}]
    whole["metadata"].setdefault("annotations", {}).update(
        {"kubectl.kubernetes.io/last-applied-configuration": f'{{"a":"{CANARY}"}}', "hami.io/vgpu-node": CANARY}
    )
    whole["metadata"].setdefault("labels", {})["note"] = CANARY
    return whole


@pytest.mark.parametrize(
    "whole",
    [
        two_cards("huawei"),
        huawei(xg("abc"), count="two"),
        volcengine(count="9,9", policy="none"),
        pod(xg(64) | {"aliyun.com/gpu-mem": 8, "nvidia.com/gpu": 1}, initContainers=[container("first", xg(64))], nodeName="n1"),
        pod(None, labels={XG_COUNT: "2"}, annotations={MG_LIST: "2"}),
        deployment(huawei(count="3")),
    ],
)
def test_h01_no_secret_of_the_pod_is_echoed_in_any_answer(whole: Json) -> None:
    laden = _laden(whole if whole["kind"] == "Pod" else whole["spec"]["template"])
    document = whole if whole["kind"] == "Pod" else whole | {"spec": {"template": laden}}
    for endpoint in ENDPOINTS:
        for old in (None, two_cards("huawei")):
            assert CANARY not in json.dumps(ask(endpoint, document, old))
    assert CANARY not in f"{ENGINE.examine(document).findings}"


def test_h03_who_asks_is_never_echoed() -> None:
    user = {"username": CANARY, "groups": [CANARY], "extra": {CANARY: [CANARY]}}
    for endpoint in ENDPOINTS:
        assert CANARY not in json.dumps(ask(endpoint, huawei(count="3"), userInfo=user))


def test_h10_a_fault_in_a_rule_is_a_fault_of_the_handler_without_its_text_and_the_next_call_works() -> None:
    calls = []

    def run(_: Any) -> Any:
        calls.append(1)
        if len(calls) == 1:
            message = CANARY
            raise RuntimeError(message)
        return []

    handler = Handler(Engine(ENGINE.dialects, [Check(id="broken", page="A rule.", run=run)], Rules()), "1")
    body = review(obj=two_cards("huawei"))
    with pytest.raises(HandlerFaultError) as fault:
        handler.respond("validate", body)
    assert CANARY not in str(fault.value)
    assert json.loads(handler.respond("validate", body).body)["response"]["allowed"] is True
