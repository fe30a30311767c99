"""Pods that differ in nothing but their names are examined once; all others each for themselves."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.admission.samples import POD, ScriptedEngine, finding, response, review
from tests.support.generated import damaged
from tests.support.pods import ENGINE, huawei, xg
from webhook.admission.errors import BadReviewError, HandlerFaultError
from webhook.admission.handler import Handler
from webhook.admission.memory import Memory
from webhook.admission.scope import ENDPOINTS, Endpoint
from webhook.core.engine import Engine, Verdict


def named(name: str, **metadata: Any) -> dict[str, Any]:
    return {**POD, "metadata": {"name": name, **metadata}}


def examined(*bodies: bytes, endpoint: Endpoint = "validate", size: int = 8) -> int:
    engine = ScriptedEngine(Verdict((finding(),)))
    handler = Handler(engine, "1", Memory(size))
    for body in bodies:
        handler.respond(endpoint, body)
    return len(engine.asked)


def test_the_pods_of_one_workload_are_examined_once() -> None:
    assert examined(*(review(obj=named(f"worker-{index}", uid=str(index))) for index in range(5))) == 1


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({**named("p"), "spec": {"containers": [{"name": "other"}]}}, id="another spec"),
        pytest.param(named("p", labels={"a": "b"}), id="a label"),
        pytest.param(named("p", labels={}), id="empty labels where there were none"),
        pytest.param(named("p", annotations={"a": "b"}), id="an annotation"),
        pytest.param(named("p", annotations=None), id="null annotations"),
    ],
)
def test_whatever_a_ruling_rests_on_makes_another_pod_of_it(other: dict[str, Any]) -> None:
    assert examined(review(obj=named("p")), review(obj=other)) == 2


def with_token(suffix: str, container: str = "app") -> dict[str, Any]:
    """Return a pod as the ServiceAccount admission leaves it, fields in the order of the API server."""
    volume = f"kube-api-access-{suffix}"
    mounted = {"name": container, "volumeMounts": [{"name": volume, "readOnly": True, "mountPath": "/var/run/secrets"}]}
    return {**named(f"p-{suffix}"), "spec": {"volumes": [{"name": volume, "projected": {"sources": []}}], "containers": [mounted]}}


def compact(obj: dict[str, Any]) -> bytes:
    """Return a review without blanks, as the API server sends it."""
    return json.dumps(json.loads(review(obj=obj)), separators=(",", ":")).encode()


def test_the_drawn_name_of_the_token_volume_makes_no_difference() -> None:
    assert examined(*(compact(with_token(suffix)) for suffix in ("abcde", "12345"))) == 1


def test_a_container_of_such_a_name_does() -> None:
    named_alike = (compact(with_token(suffix, f"kube-api-access-{suffix}")) for suffix in ("abcde", "12345"))
    assert examined(*named_alike) == 2


def test_what_stands_in_the_labels_is_not_taken_for_annotations() -> None:
    assert examined(review(obj=named("p", labels={"a": "b"})), review(obj=named("p", annotations={"a": "b"}))) == 2


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(review("UPDATE", named("p"), named("p")), id="an update"),
        pytest.param(review(obj={**POD, "metadata": {}}), id="a pod without any name"),
        pytest.param(review(obj={**POD, "kind": "Deployment"}), id="an object that says it is something else"),
        pytest.param(review(obj=named("d"), kind="Deployment"), id="another kind"),
        pytest.param(review(obj={"metadata": {"name": "p"}, "spec": {}}), id="an object that does not say what it is"),
    ],
)
def test_nothing_else_is_remembered(body: bytes) -> None:
    assert examined(body, body) == 2


def test_each_endpoint_rules_for_itself() -> None:
    engine = ScriptedEngine(Verdict((finding(),)))
    handler = Handler(engine, "1")
    allowed = [response(handler.respond(endpoint, review()).body)["allowed"] for endpoint in (*ENDPOINTS, *ENDPOINTS)]
    assert allowed == [endpoint != "validate" for endpoint in (*ENDPOINTS, *ENDPOINTS)]
    assert len(engine.asked) == len(ENDPOINTS)


def test_a_remembered_denial_names_the_pod_that_is_denied_now() -> None:
    handler = Handler(ScriptedEngine(Verdict((finding(),))), "1")
    handler.respond("validate", review(obj=named("first")))
    second = response(handler.respond("validate", review(obj=named("second"), uid="2")).body)
    assert (second["uid"], second["status"]["details"]["name"]) == ("2", "second")


def test_the_oldest_is_forgotten_where_there_is_no_room() -> None:
    first, second, third = (review(obj=named("p", labels={"n": str(index)})) for index in range(3))
    assert examined(first, second, third, second, third, first, size=2) == 4
    assert examined(first, first, size=0) == 2


@pytest.mark.parametrize(
    ("obj", "times"),
    [
        pytest.param(huawei(*[xg(63)] * 3, count="2"), 1, id="some findings"),
        pytest.param(huawei(*[xg(63)] * 300, count="2"), 2, id="many findings"),
        pytest.param(huawei(xg(64) | {f"volcano.sh/gpu-{'x' * 30_000}": 1}, count="2"), 2, id="a finding of a long key"),
        pytest.param(huawei(*[xg(64)] * 1000, count="2"), 2, id="a long patch"),
    ],
)
def test_a_ruling_that_is_large_is_not_remembered(obj: Any, times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    handler, looked_at, original = Handler(ENGINE, "1"), [], Engine.examine

    def noted(engine: Engine, obj: Any, old: Any = None, **options: Any) -> Verdict:
        looked_at.append(obj)
        return original(engine, obj, old, **options)

    monkeypatch.setattr(Engine, "examine", noted)
    first, second = (handler.respond("mutate", review(obj=obj)).body for _ in range(2))
    assert first == second
    assert len(looked_at) == times


def test_a_fault_is_not_remembered() -> None:
    engine = ScriptedEngine(fault=ZeroDivisionError())
    handler = Handler(engine, "1")
    for _ in range(2):
        with pytest.raises(HandlerFaultError):
            handler.respond("validate", review())
    assert len(engine.asked) == 2


REMEMBERING = Handler(ENGINE, "1", Memory(size=64))
FORGETFUL = Handler(ENGINE, "1", Memory(size=0))


def outcome(handler: Handler, endpoint: Endpoint, body: bytes) -> tuple[object, ...]:
    """Return all that leaves the process. A remembered finding may carry the name of the pod it was found in, which nobody tells."""
    try:
        answer = handler.respond(endpoint, body)
    except BadReviewError as problem:
        return (str(problem),)
    said = [(finding.check, finding.severity, finding.text, finding.path) for finding in answer.findings]
    return answer.body, answer.namespace, answer.name, answer.outcome, answer.dialects, answer.patch_operations, said


@given(damaged(), st.sampled_from(ENDPOINTS))
def test_an_answer_is_the_same_with_and_without_memory(pod: Any, endpoint: Endpoint) -> None:
    body = review(obj=pod)
    expected = outcome(FORGETFUL, endpoint, body)
    assert outcome(REMEMBERING, endpoint, body) == expected
    assert outcome(REMEMBERING, endpoint, body) == expected


@given(st.integers(min_value=1, max_value=400), st.sampled_from(["1", "2", "3", None]), st.sampled_from(ENDPOINTS))
def test_alike_pods_get_what_each_would_get_alone(blocks: int, count: str | None, endpoint: Endpoint) -> None:
    pod = huawei(xg(blocks), count=count)
    for name in ("a", "b"):
        alike = copy.deepcopy(pod)
        alike["metadata"]["name"] = name
        body = review(obj=alike)
        assert REMEMBERING.respond(endpoint, body).body == FORGETFUL.respond(endpoint, body).body
