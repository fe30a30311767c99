"""What a cluster can do while percard does not answer at all: nothing waits but what the overlay's webhook entries hold up."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.e2e.installed import objects
from tests.e2e.installed.api import MERGE_PATCH, Api, Reply
from tests.e2e.installed.conftest import Installation
from tests.e2e.installed.counts import calls
from tests.e2e.installed.installation import CONFIGURATIONS
from tests.e2e.installed.overlays import AWAY_CUSTOM, AWAY_RIGHT, AWAY_WRONG, OUTCOMES
from tests.e2e.processes import free_ports, wait_for
from tests.support.pods import LIMITS
from webhook import Stage, build_engine

Object = dict[str, Any]
POD, DEPLOYMENT = objects.BUILT_IN[0], objects.BUILT_IN[3]
GPU_KEY, COUNT = "volcano.sh/gpu-mem.128Mi", "volcano.sh/gpu-num"
JSON_PATCH = "application/json-patch+json"


def _gpu_template(blocks: str = "64", *, scheduler: str | None = "volcano") -> Object:
    """Return a template that shares two cards: 64 blocks of memory divide, 65 do not."""
    template = objects.template()
    template["metadata"]["labels"][COUNT] = "2"
    template["spec"]["containers"][0]["resources"]["limits"][GPU_KEY] = blocks
    return {**template, "spec": {**template["spec"], **({} if scheduler is None else {"schedulerName": scheduler})}}


@contextmanager
def _away(installation: Installation, api: Api) -> Iterator[None]:
    """Have the installed configurations call a port that nobody listens on, as if no server were left."""
    (port,) = free_ports(1)
    before = {path: [entry["clientConfig"]["url"] for entry in api.get(path)["webhooks"]] for path in CONFIGURATIONS}
    try:
        for path, urls in before.items():
            _call(api, path, [f"https://127.0.0.1:{port}/"] * len(urls))
        wait_for(lambda: not _is_called(installation, api), "percard is still called")
        yield
    finally:
        for path, urls in before.items():
            _call(api, path, urls)
        wait_for(lambda: _is_called(installation, api), "percard is not called any more")


def _call(api: Api, path: str, urls: list[str]) -> None:
    operations = [{"op": "replace", "path": f"/webhooks/{index}/clientConfig/url", "value": url} for index, url in enumerate(urls)]
    assert api.request("PATCH", path, operations, JSON_PATCH).ok


def _is_called(installation: Installation, api: Api) -> bool:
    """Say whether a right pod and a custom resource reach any endpoint of percard."""
    before = calls(installation.ops_port)
    _create(api, "default", _gpu_template())
    _create(api, "default", _gpu_template(), objects.CUSTOM[0])
    return calls(installation.ops_port) != before


@pytest.fixture
def _unanswered(installation: Installation, api: Api) -> Iterator[None]:
    with _away(installation, api):
        yield


def _create(api: Api, namespace: str, template: Object, kind: objects.Kind = POD) -> Reply:
    return api.create(objects.collection(kind, namespace), objects.make(kind, template), dry_run=True)


@pytest.mark.usefixtures("_unanswered")
@pytest.mark.parametrize("kind", [POD, DEPLOYMENT, objects.CUSTOM[0]], ids=lambda kind: kind.name)
def test_objects_without_marks_are_created(kind: objects.Kind, api: Api, namespace: str) -> None:
    assert _create(api, namespace, objects.template(), kind).ok


@pytest.mark.usefixtures("_unanswered")
@pytest.mark.parametrize(
    ("kind", "case"),
    [(POD, AWAY_RIGHT), (DEPLOYMENT, AWAY_RIGHT), (POD, AWAY_WRONG), (DEPLOYMENT, AWAY_WRONG), (objects.CUSTOM[0], AWAY_CUSTOM)],
    ids=lambda value: getattr(value, "name", value),
)
def test_an_object_with_a_mark_meets_what_the_overlay_has_below_the_webhook(
    kind: objects.Kind, case: str, overlay: str, api: Api, namespace: str
) -> None:
    outcome = OUTCOMES[case][overlay]
    reply = _create(api, namespace, _gpu_template("64" if case == AWAY_RIGHT else "65", scheduler=None), kind)
    assert reply.ok is outcome.taken, reply
    assert all(text in reply.message for text in outcome.says), reply
    if kind is POD and outcome.patched:
        assert reply.body["spec"]["schedulerName"] == "volcano"
        assert LIMITS in reply.body["metadata"]["annotations"]
        # What the webhook would have written: nothing is left for it.
        assert build_engine().examine(reply.body, stage=Stage.MUTATE).patch == ()


@pytest.mark.usefixtures("_unanswered")
@pytest.mark.parametrize("name", ["kube-system", "kube-node-lease", "percard-system"])
def test_the_namespaces_that_a_cluster_starts_from_are_unaffected(name: str, api: Api) -> None:
    template = _gpu_template()
    if name == "percard-system":
        restricted = {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}, "seccompProfile": {"type": "RuntimeDefault"}}
        for container in (*template["spec"]["containers"], *template["spec"]["initContainers"]):
            container["securityContext"] = {**restricted, "runAsNonRoot": True}
    reply = _create(api, name, template)
    assert reply.ok, reply


@pytest.mark.usefixtures("_unanswered")
@pytest.mark.parametrize("mode", ["warn", "audit", "off"])
@pytest.mark.parametrize("blocks", ["64", "65"])
def test_namespaces_that_are_not_enforced_go_on(mode: str, blocks: str, api: Api, namespace: str) -> None:
    name = f"{namespace}-{mode}"
    api.make_namespace(name, mode)
    assert _create(api, name, _gpu_template(blocks)).ok


def test_what_there_is_can_be_scaled_and_deleted(installation: Installation, api: Api, namespace: str) -> None:
    path = objects.collection(DEPLOYMENT, namespace)
    assert api.create(path, objects.make(DEPLOYMENT, _gpu_template())).ok
    with _away(installation, api):
        scaled = api.request("PATCH", f"{path}/case/scale", {"spec": {"replicas": 0}}, MERGE_PATCH)
        assert scaled.ok, scaled
        assert api.request("DELETE", f"{path}/case").ok
