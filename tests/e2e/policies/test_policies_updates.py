"""Updates: what was wrong before is not refused, what becomes wrong is; a pod's share is frozen once it has a node."""

import copy
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from tests.e2e.policies.agreement import agree, expected
from tests.e2e.policies.client import Client
from tests.e2e.policies.floor import MODE, Floor
from tests.e2e.policies.samples import Samples
from tests.e2e.processes import wait_for
from tests.support.pods import (
    CG_COUNT,
    CG_PLACEMENT,
    MG_LIST,
    MG_POLICY,
    XG_COUNT,
    alibaba,
    cg,
    huawei,
    mg,
    volcengine,
    xg,
)
from webhook import Verdict

Json = dict[str, Any]
_PODS, _CHANGES = 40, 4
_NAMESPACE = "changing"
_MERGE = "application/merge-patch+json"
# What a change sets, or takes away.
_LABELS = ((XG_COUNT, ("1", "2", "3", "02", None)), (CG_COUNT, ("1", "2", "4", None)), (CG_PLACEMENT, ("require-whole-device", "x", None)))
_ANNOTATIONS = (
    (MG_LIST, ("1", "2", "2,0", "0,2", "2,2", "x", None)),
    (MG_POLICY, ("native-burst-share", "fixed-share", None)),
    ("volcano.sh/bind-time", ("1",)),
)


class Changed(NamedTuple):
    """Labels and annotations that are set, None where they are taken away."""

    labels: dict[str, str | None]
    annotations: dict[str, str | None]

    def of(self, obj: Json) -> Json:
        """Return the object after the change."""
        new = copy.deepcopy(obj)
        for place, values in self._asdict().items():
            present = {**new["metadata"].get(place, {}), **values}
            new["metadata"][place] = {key: value for key, value in present.items() if value is not None}
        return new


@pytest.fixture(scope="module")
def stored(floor: Floor) -> dict[str, Json]:
    """Store pods, right and wrong, some with a node, before the policies hold in their namespace."""
    client = floor.client
    client.request("POST", "/api/v1/namespaces", {"metadata": {"name": _NAMESPACE, "labels": {MODE: "off"}}})
    wait_for(lambda: client.create(_wrong(), _NAMESPACE).ok, "the policies hold where they are off")
    found = {}
    for name, pod in _stored():
        pod["metadata"]["name"] = name
        reply = client.create(pod, _NAMESPACE, dry_run=False)
        if reply.ok:
            found[name] = reply.body
    _enforce(client)
    return found


def _enforce(client: Client) -> None:
    client.request("PATCH", f"/api/v1/namespaces/{_NAMESPACE}", {"metadata": {"labels": {MODE: None}}}, _MERGE)
    wait_for(lambda: client.create(_wrong(), _NAMESPACE).denied_by is not None, "the policies do not hold")


def _wrong() -> Json:
    pod = huawei(xg(65), count="2")
    return {**pod, "metadata": {**pod["metadata"], "name": "probe"}}


def _stored() -> Iterator[tuple[str, Json]]:
    right = {
        "huawei": huawei(xg(64, 30), count="2", schedulerName="volcano"),
        "volcengine": volcengine(mg(30, 4096), None, count="2,0"),
        "alibaba": alibaba(cg(8), count="2"),
        "one-card": huawei(xg(64), count="1", schedulerName="volcano"),
        "wrong": huawei(xg(65), count="2", schedulerName="volcano"),
    }
    for name, pod in right.items():
        yield name, copy.deepcopy(pod)
        yield f"{name}-bound", {**copy.deepcopy(pod), "spec": {**copy.deepcopy(pod["spec"]), "nodeName": "node-1"}}
    samples, draw = Samples(7), random.Random(8)  # noqa: S311 -- the same pods every time
    for number in range(_PODS):
        pod = samples.pod()
        if draw.random() < 0.4:
            pod["spec"]["nodeName"] = "node-1"
        yield f"drawn-{number}", pod


def _change(floor: Floor, old: Json, changed: Changed) -> tuple[Verdict, Any]:
    patch = {"metadata": changed._asdict()}
    path = f"/api/v1/namespaces/{_NAMESPACE}/pods/{old['metadata']['name']}?dryRun=All"
    return floor.engine.examine(changed.of(old), old), floor.client.request("PATCH", path, patch, _MERGE)


def _difference(floor: Floor, old: Json, changed: Changed) -> str:
    verdict, reply = _change(floor, old, changed)
    wanted = expected(floor, verdict).get("error", set())
    said = reply.denied_by
    is_same = reply.ok is not bool(wanted) and (said is None or agree(said, wanted)) and (reply.ok or said is not None)
    return "" if is_same else f"{changed} on {old['metadata']} {old['spec']}: {reply.message} instead of {wanted}"


_NAMED = [
    ("wrong", Changed({"team": "a"}, {}), None),
    ("huawei", Changed({"team": "a"}, {"volcano.sh/bind-time": "1"}), None),
    ("huawei", Changed({XG_COUNT: "3"}, {}), "memory-step"),
    ("huawei", Changed({XG_COUNT: "4"}, {}), "core-step"),
    ("wrong", Changed({XG_COUNT: "3"}, {}), "memory-step"),
    ("wrong", Changed({XG_COUNT: "1"}, {}), None),
    ("huawei-bound", Changed({XG_COUNT: None}, {}), "frozen-share"),
    ("one-card-bound", Changed({XG_COUNT: None}, {}), None),
    ("volcengine-bound", Changed({}, {MG_LIST: "1,0"}), "frozen-share"),
    ("volcengine", Changed({}, {MG_LIST: "0,2"}), "card-list"),
    ("volcengine", Changed({}, {MG_POLICY: None}), "compute-policy"),
    ("alibaba-bound", Changed({CG_PLACEMENT: "require-whole-device"}, {}), "frozen-share"),
]


@pytest.mark.parametrize(("name", "changed", "check"), _NAMED, ids=lambda value: str(value)[:60])
def test_a_change_of_a_pod_is_judged_as_the_engine_judges_it(
    name: str, changed: Changed, check: str | None, floor: Floor, stored: dict[str, Json]
) -> None:
    verdict, reply = _change(floor, stored[name], changed)
    assert (check is None) is reply.ok
    assert check is None or check in {finding.check for finding in verdict.errors}
    assert _difference(floor, stored[name], changed) == ""


def test_drawn_changes_of_drawn_pods_are_judged_as_the_engine_judges_them(floor: Floor, stored: dict[str, Json]) -> None:
    draw = random.Random(9)  # noqa: S311 -- the same changes every time
    found = []
    for pod in stored.values():
        for _ in range(_CHANGES):
            label, annotation = draw.choice(_LABELS), draw.choice(_ANNOTATIONS)
            both = Changed({label[0]: draw.choice(label[1])}, {annotation[0]: draw.choice(annotation[1])})
            found.append(_difference(floor, pod, both))
    assert not any(found), "\n".join(filter(None, found))
    assert floor.failures() == []


def test_a_pod_that_is_on_its_way_out_may_change_in_any_way(floor: Floor) -> None:
    path = "/api/v1/namespaces/bare/pods/leaving"
    pod = {**huawei(xg(64), count="2"), "metadata": {"name": "leaving", "labels": {XG_COUNT: "2"}, "finalizers": ["e2e.test/keep"]}}
    assert floor.client.create(pod, "bare", dry_run=False).ok
    floor.client.request("DELETE", path)
    old = floor.client.request("GET", path).body
    assert "deletionTimestamp" in old["metadata"]
    floor.client.request("PATCH", "/api/v1/namespaces/bare", {"metadata": {"labels": {MODE: "deny"}}}, _MERGE)
    try:
        wait_for(lambda: floor.client.create(_wrong(), "bare").denied_by is not None, "the policies do not hold")
        change = {"metadata": {"labels": {XG_COUNT: "3"}}}
        assert floor.client.request("PATCH", path, change, _MERGE).ok
    finally:
        floor.client.request("PATCH", "/api/v1/namespaces/bare", {"metadata": {"labels": {MODE: "off"}}}, _MERGE)
        wait_for(lambda: floor.client.create(_wrong(), "bare").ok, "the policies hold where they are off")
        floor.client.request("PATCH", path, {"metadata": {"finalizers": None}}, _MERGE)
