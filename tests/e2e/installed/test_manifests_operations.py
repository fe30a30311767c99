"""The conditions on operations and subresources that the shipped rules leave out, should somebody add them."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from tests.e2e.installed import objects
from tests.e2e.installed.api import MERGE_PATCH, Api
from tests.e2e.installed.installation import ADMISSION, CONFIGURATIONS
from tests.e2e.processes import wait_for

Object = dict[str, Any]
POD, DEPLOYMENT = objects.BUILT_IN[0], objects.BUILT_IN[3]
NAME = "everything"


@pytest.fixture
def everything_sent(api: Api, namespace: str) -> Iterator[str]:
    """Send every operation on every part of the covered kinds in one namespace; a condition that fails refuses the request."""
    configuration = copy.deepcopy(api.get(CONFIGURATIONS[1]))
    configuration["metadata"] = {"name": NAME}
    configuration["webhooks"] = [entry for entry in configuration["webhooks"] if ".deny." in entry["name"]]
    assert configuration["webhooks"]
    for entry in configuration["webhooks"]:
        # Under the floor the entries ignore failures, and no condition that fails would be seen.
        entry["failurePolicy"] = "Fail"
        entry["namespaceSelector"] = {"matchLabels": {"kubernetes.io/metadata.name": namespace}}
        for rule in entry["rules"]:
            rule["operations"] = ["*"]
            rule["resources"] = [name for resource in rule["resources"] for name in (resource, f"{resource}/*")]
    assert api.create(f"{ADMISSION}/validatingwebhookconfigurations", configuration).ok
    yield namespace
    assert api.request("DELETE", f"{ADMISSION}/validatingwebhookconfigurations/{NAME}").ok


def _good_template() -> Object:
    template = objects.template()
    template["spec"]["containers"][0]["resources"]["limits"]["volcano.sh/gpu-mem.128Mi"] = "64"
    template["spec"]["schedulerName"] = "volcano"
    return template


@pytest.mark.parametrize("template", [objects.template(), _good_template()], ids=["plain", "sharing"])
def test_scaling_and_deleting_a_workload_meets_no_condition_that_fails(template: Object, everything_sent: str, api: Api) -> None:
    path = objects.collection(DEPLOYMENT, everything_sent)
    assert api.create(path, objects.make(DEPLOYMENT, template)).ok
    scaled = api.request("PATCH", f"{path}/case/scale", {"spec": {"replicas": 1}}, MERGE_PATCH)
    assert scaled.ok, scaled
    status = api.request("PATCH", f"{path}/case/status", {"status": {"observedGeneration": 1}}, MERGE_PATCH)
    assert status.ok, status
    deleted = api.request("DELETE", f"{path}/case")
    assert deleted.ok, deleted
    assert api.request("DELETE", path).ok


@pytest.mark.parametrize("template", [objects.template(), _good_template()], ids=["plain", "sharing"])
def test_binding_evicting_and_deleting_a_pod_meets_no_condition_that_fails(template: Object, everything_sent: str, api: Api) -> None:
    path = objects.collection(POD, everything_sent)
    assert api.create(path, objects.make(POD, template)).ok
    binding = {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "case"}, "target": {"kind": "Node", "name": "node-1"}}
    bound = api.create(f"{path}/case/binding", binding)
    assert bound.ok, bound
    eviction = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "case"}, "deleteOptions": {"gracePeriodSeconds": 0}}
    evicted = api.create(f"{path}/case/eviction", eviction)
    assert evicted.ok, evicted
    wait_for(lambda: api.request("GET", f"{path}/case").status == 404, "the pod is still there")


def test_a_custom_resource_is_deleted_unhindered(everything_sent: str, api: Api) -> None:
    kind = objects.CUSTOM[0]
    path = objects.collection(kind, everything_sent)
    assert api.create(path, objects.make(kind, _good_template())).ok
    assert api.request("DELETE", f"{path}/case").ok
