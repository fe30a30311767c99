"""A pod that asks by claims: the template beside it, and how it refers to it."""

import copy

import pytest

from tests.translation.pods import Object, dialect, engine, volcengine
from webhook.core.conversion import Conversion, Converter

WORKED = volcengine((8192, 30), cards="2")
REFERENCE = {"name": "gpu", "resourceClaimTemplateName": "infer-gpu"}


def converted(obj: Object) -> Conversion:
    return Converter(engine(), dialect("dra")).convert(obj)


def test_the_template_asks_for_what_each_device_gives() -> None:
    (template,) = converted(WORKED).beside
    capacity = {"requests": {"memory": "4Gi", "cores": "15"}}
    exactly = {"deviceClassName": "vgpu-manager", "allocationMode": "ExactCount", "count": 2, "capacity": capacity}
    assert template == {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "infer-gpu"},
        "spec": {
            "spec": {
                "devices": {
                    "requests": [{"name": "gpu", "exactly": exactly}],
                    "constraints": [{"requests": ["gpu"], "distinctAttribute": "manager.nvidia.com/uuid"}],
                }
            }
        },
    }


@pytest.mark.parametrize(
    ("metadata", "name"),
    [
        ({"name": "train"}, "train-gpu"),
        ({"generateName": "train-"}, "train-gpu"),
        ({"generateName": "train"}, "train-gpu"),
        ({"generateName": "-train--"}, "-train-gpu"),
        ({"name": "train", "generateName": "other-"}, "train-gpu"),
        ({}, "gpu"),
    ],
)
def test_the_template_is_called_after_the_object(metadata: Object, name: str) -> None:
    (template,) = converted({**WORKED, "metadata": metadata | {"annotations": WORKED["metadata"]["annotations"]}}).beside
    assert template["metadata"] == {"name": name}


def test_the_template_is_in_the_objects_namespace() -> None:
    obj = copy.deepcopy(WORKED)
    obj["metadata"]["namespace"] = "team-a"
    (template,) = converted(obj).beside
    assert template["metadata"] == {"name": "infer-gpu", "namespace": "team-a"}


def test_each_pod_template_of_an_object_has_one_of_its_own() -> None:
    parts = [{"template": {"spec": volcengine((4096, 30))["spec"]}} for _ in range(3)]
    job = {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "metadata": {"name": "train"}, "spec": {"tasks": parts}}
    found = converted(job)
    names = ["train-gpu", "train-gpu-2", "train-gpu-3"]
    assert [template["metadata"]["name"] for template in found.beside] == names
    specs = [task["template"]["spec"] for task in found.data["spec"]["tasks"]]
    assert [spec["resourceClaims"] for spec in specs] == [[{"name": "gpu", "resourceClaimTemplateName": name}] for name in names]


def test_a_pod_and_each_of_its_containers_refer_to_it() -> None:
    spec = converted(volcengine((4096, 30), (2048, 20))).data["spec"]
    assert spec["resourceClaims"] == [REFERENCE]
    claims = [container["resources"]["claims"] for container in spec["containers"]]
    assert claims == [[{"name": "gpu", "request": "app"}], [{"name": "gpu", "request": "app-1"}]]


def test_claims_of_others_stay() -> None:
    obj = copy.deepcopy(WORKED)
    other, claim = {"name": "net", "resourceClaimName": "net"}, {"name": "net"}
    obj["spec"]["resourceClaims"] = [other]
    obj["spec"]["containers"][0]["resources"]["claims"] = [claim]
    spec = converted(obj).data["spec"]
    assert spec["resourceClaims"] == [other, REFERENCE]
    assert spec["containers"][0]["resources"]["claims"] == [claim, {"name": "gpu", "request": "gpu"}]


def test_whole_cards_request_no_capacity_which_is_told_of_their_container() -> None:
    found = converted(volcengine((None, 200), (4096, 30)))
    exactly = [request["exactly"] for request in found.beside[0]["spec"]["spec"]["devices"]["requests"]]
    assert [(request["count"], "capacity" in request) for request in exactly] == [(2, False), (1, True)]
    (told,) = [told.remark for told in found.told if "capacity" in told.remark.text]
    assert (told.outcome, told.container) == ("assumed", "app")
    assert told.text == "no capacity is requested: the driver's default must be the whole device"
