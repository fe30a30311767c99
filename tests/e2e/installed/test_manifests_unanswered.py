"""What a cluster can do while percard does not answer at all."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from tests.e2e.installed import objects
from tests.e2e.installed.api import MERGE_PATCH, Api, Reply
from tests.e2e.installed.installation import ADMISSION, CONFIGURATIONS
from tests.e2e.processes import free_ports, wait_for

Object = dict[str, Any]
POD, DEPLOYMENT = objects.BUILT_IN[0], objects.BUILT_IN[3]
GPU_KEY = "volcano.sh/gpu-mem.128Mi"


def _gpu_template() -> Object:
    template = objects.template()
    template["spec"]["containers"][0]["resources"]["limits"][GPU_KEY] = "64"
    template["spec"]["schedulerName"] = "volcano"
    return template


def _unanswered(api: Api, path: str, port: int) -> Object:
    """Return a copy of an installed configuration whose entries call a port that nobody listens on."""
    found = copy.deepcopy(api.get(path))
    found["metadata"] = {"name": "unanswered"}
    for entry in found["webhooks"]:
        entry["clientConfig"]["url"] = f"https://127.0.0.1:{port}/"
    return found


@pytest.fixture(autouse=True)
def unanswered(api: Api) -> Iterator[None]:
    """Have the configurations a second time, for a server that is not there."""
    (port,) = free_ports(1)
    paths = [path.rpartition("/")[0] for path in CONFIGURATIONS]
    if not api.request("GET", "/api/v1/namespaces/unanswered").ok:
        api.make_namespace("unanswered")
    for path in CONFIGURATIONS:
        assert api.create(path.rpartition("/")[0], _unanswered(api, path, port)).ok
    wait_for(lambda: not _create(api, "unanswered", _gpu_template()).ok, "the configuration is not in force")
    yield
    for path in paths:
        assert api.request("DELETE", f"{path}/unanswered").ok
    wait_for(lambda: _create(api, "unanswered", _gpu_template()).ok, "the configuration is still in force")


def _create(api: Api, namespace: str, template: Object, kind: objects.Kind = POD) -> Reply:
    return api.create(objects.collection(kind, namespace), objects.make(kind, template), dry_run=True)


@pytest.mark.parametrize("kind", [POD, DEPLOYMENT], ids=lambda kind: kind.name)
def test_objects_without_marks_are_created_and_objects_with_one_are_refused_readably(kind: objects.Kind, api: Api, namespace: str) -> None:
    assert _create(api, namespace, objects.template(), kind).ok
    reply = _create(api, namespace, _gpu_template(), kind)
    assert reply.status == 500
    assert 'failed calling webhook "workloads.deny.percard.webhook"' in reply.message
    assert "connection refused" in reply.message


@pytest.mark.parametrize("name", ["kube-system", "kube-node-lease", "percard-system"])
def test_the_namespaces_that_a_cluster_starts_from_are_unaffected(name: str, api: Api) -> None:
    template = _gpu_template()
    if name == "percard-system":
        restricted = {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}, "seccompProfile": {"type": "RuntimeDefault"}}
        for container in (*template["spec"]["containers"], *template["spec"]["initContainers"]):
            container["securityContext"] = {**restricted, "runAsNonRoot": True}
    reply = _create(api, name, template)
    assert reply.ok, reply


@pytest.mark.parametrize("mode", ["warn", "audit", "off"])
def test_namespaces_that_are_not_enforced_go_on(mode: str, api: Api) -> None:
    name = f"unanswered-{mode}"
    api.make_namespace(name, mode)
    assert _create(api, name, _gpu_template()).ok


def test_what_there_is_can_be_scaled_and_deleted(api: Api, namespace: str) -> None:
    api.request("DELETE", f"{ADMISSION}/validatingwebhookconfigurations/unanswered")
    wait_for(lambda: _create(api, namespace, _gpu_template()).ok, "the configuration is still in force")
    path = objects.collection(DEPLOYMENT, namespace)
    assert api.create(path, objects.make(DEPLOYMENT, _gpu_template())).ok
    (port,) = free_ports(1)
    assert api.create(f"{ADMISSION}/validatingwebhookconfigurations", _unanswered(api, CONFIGURATIONS[1], port)).ok
    wait_for(lambda: not _create(api, namespace, _gpu_template()).ok, "the configuration is not in force")
    scaled = api.request("PATCH", f"{path}/case/scale", {"spec": {"replicas": 0}}, MERGE_PATCH)
    assert scaled.ok, scaled
    assert api.request("DELETE", f"{path}/case").ok
