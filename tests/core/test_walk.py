"""Where pods are found: in every kind that carries templates, at exact paths, and nowhere else."""

import json
from typing import Any

import pytest

from tests.support.kinds import argo, built_in, custom
from tests.support.pods import ENGINE, XG_COUNT, XG_MEMORY, Json, as_template, huawei, workload, xg
from webhook.core.walk import pods_in

BAD = huawei(xg(64), count="3")
TEMPLATE = as_template(BAD)
CONTAINER: Json = {"image": "a", "resources": {"limits": {XG_MEMORY: "1.5"}}}
KINDS = built_in(TEMPLATE) | custom(TEMPLATE)
WORKFLOWS = argo(CONTAINER)


@pytest.mark.parametrize("kind", KINDS)
def test_a_template_is_found_at_its_exact_path_and_its_mistake_is_the_objects(kind: str) -> None:
    document, where = KINDS[kind]
    assert [view.root for view in pods_in(document)] == [where]
    (finding,) = ENGINE.examine(document).findings
    assert finding.path.parts == (*where, "spec", "containers", 0, "resources", "limits", XG_MEMORY)
    assert (finding.check, finding.severity) == ("memory-step", "error")
    assert (finding.kind, finding.name, finding.container) == (document["kind"], "w", "c0")


@pytest.mark.parametrize("kind", WORKFLOWS)
def test_a_template_of_an_argo_workflow_holds_its_container_itself(kind: str) -> None:
    document, where = WORKFLOWS[kind]
    (finding,) = ENGINE.examine(document).findings
    assert finding.path.parts == (*where, "resources", "limits", XG_MEMORY)
    assert (finding.check, finding.kind) == ("quantity", document["kind"])


def test_an_argo_template_has_labels_annotations_init_containers_and_a_scheduler_of_its_own() -> None:
    template: Json = {
        "metadata": {"labels": {XG_COUNT: "3"}},
        "schedulerName": "foreign",
        "initContainers": [{"name": "first", **CONTAINER}],
        "container": {"image": "a", "resources": {"limits": {XG_MEMORY: 64}}},
    }
    verdict = ENGINE.examine(workload("argoproj.io/v1alpha1", "Workflow", {"templates": [template]}))
    assert {(finding.check, finding.path.parts[3:5]) for finding in verdict.errors} == {
        ("memory-step", ("container", "resources")),
        ("init-container", ("initContainers", 0)),
        ("scheduler-conflict", ("schedulerName",)),
    }


def test_a_list_of_anything_is_walked_item_by_item_to_any_depth() -> None:
    inner = {"apiVersion": "v1", "kind": "List", "items": [BAD, {"apiVersion": "v1", "kind": "Service"}]}
    outer = {"apiVersion": "v1", "kind": "List", "items": [KINDS["CronJob"][0], 5, None, inner, KINDS["Volcano Job"][0]]}
    assert [(view.owner_at, view.root) for view in pods_in(outer)] == [
        (("items", 0), ("items", 0, "spec", "jobTemplate", "spec", "template")),
        (("items", 3, "items", 0), ("items", 3, "items", 0)),
        (("items", 4), ("items", 4, "spec", "tasks", 1, "template")),
    ]
    findings = ENGINE.examine(outer).findings
    assert [(finding.kind, finding.name) for finding in findings] == [("CronJob", "w"), ("Pod", "p"), ("Job", "w")]
    assert str(findings[1].path) == f"items[3].items[0].spec.containers[0].resources.limits[{XG_MEMORY}]"


@pytest.mark.parametrize("kind", ["PodList", "DeploymentList"])
def test_a_typed_list_is_a_list(kind: str) -> None:
    item = BAD if kind == "PodList" else KINDS["Deployment"][0]
    assert len(ENGINE.examine({"apiVersion": "v1", "kind": kind, "items": [item, item]}).errors) == 2


def test_several_templates_of_one_object_are_found_in_the_order_of_its_text() -> None:
    roles = {name: {"template": TEMPLATE} for name in ("b", "a", "c")}
    document = workload("example.com/v1", "X", {"roles": roles, "extra": [TEMPLATE]})
    assert [view.root for view in pods_in(document)] == [
        *(("spec", "roles", name, "template") for name in ("b", "a", "c")),
        ("spec", "extra", 0),
    ]


def test_a_template_inside_a_template_is_not_looked_for() -> None:
    nested = {"spec": TEMPLATE["spec"] | {"extra": {"template": TEMPLATE}}}
    assert [view.root for view in pods_in(workload("example.com/v1", "X", {"template": nested}))] == [("spec", "template")]


NO_TEMPLATES: dict[str, Any] = {
    "a ConfigMap with a manifest as text": {"apiVersion": "v1", "kind": "ConfigMap", "data": {"pod.yaml": json.dumps(BAD)}},
    "a ConfigMap with a manifest as data, which it cannot have": {"apiVersion": "v1", "kind": "ConfigMap", "data": {"template": TEMPLATE}},
    "a Secret": {"apiVersion": "v1", "kind": "Secret", "stringData": {"template": TEMPLATE}},
    "a ControllerRevision": {"apiVersion": "apps/v1", "kind": "ControllerRevision", "data": {"spec": {"template": TEMPLATE}}},
    "an Event": {"apiVersion": "events.k8s.io/v1", "kind": "Event", "regarding": {"template": TEMPLATE}},
    "a CustomResourceDefinition": {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "spec": {"versions": [{"schema": {"openAPIV3Schema": {"properties": {"template": {"default": TEMPLATE, "example": TEMPLATE}}}}}]},
    },
    "a ValidatingAdmissionPolicy": {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingAdmissionPolicy",
        "spec": {"template": TEMPLATE},
    },
    "an unknown kind of a built-in group": {"apiVersion": "apps/v1", "kind": "Frob", "spec": {"template": TEMPLATE}},
    "the last applied configuration": workload("example.com/v1", "X", {}, annotations={"a": json.dumps(BAD)}),
    "metadata that holds a template": workload("example.com/v1", "X", {}, template=TEMPLATE),
    "the status of a custom resource": workload("example.com/v1", "X", {}) | {"status": {"template": TEMPLATE}},
    "containers of a SidecarSet, which are no pod": workload(
        "apps.kruise.io/v1alpha1", "SidecarSet", {"containers": BAD["spec"]["containers"]}
    ),
    "a Kyverno pattern": workload("kyverno.io/v1", "ClusterPolicy", {"rules": [{"validate": {"pattern": TEMPLATE}}]}),
    "a Gatekeeper mutation": workload("mutations.gatekeeper.sh/v1", "Assign", {"parameters": {"assign": {"value": TEMPLATE}}}),
    "Helm values of an Argo CD Application": workload(
        "argoproj.io/v1alpha1", "Application", {"source": {"helm": {"valuesObject": {"container": CONTAINER}}}}
    ),
    "a spec without containers": workload("example.com/v1", "X", {"template": {"spec": {"containers": []}}}),
    "containers that are none": workload("example.com/v1", "X", {"template": {"spec": {"containers": [{"port": 80}, "a"]}}}),
    "a custom resource without a group": {"apiVersion": "v1", "kind": "X", "spec": {"template": TEMPLATE}},
    "no kind": {"apiVersion": "example.com/v1", "spec": {"template": TEMPLATE}},
    "a list that is none": {"apiVersion": "v1", "kind": "List", "items": {"0": BAD}},
    "no object": [BAD],
    "null": None,
    "text": json.dumps(BAD),
}


@pytest.mark.parametrize("name", NO_TEMPLATES)
def test_what_only_looks_like_a_template_is_data(name: str) -> None:
    verdict = ENGINE.examine(NO_TEMPLATES[name])
    assert (list(pods_in(NO_TEMPLATES[name])), verdict.findings, verdict.patch) == ([], (), ())


@pytest.mark.parametrize("depth", [5, 25, 30])
def test_a_template_as_deep_as_any_api_has_is_found(depth: int) -> None:
    value: Any = {"template": TEMPLATE}
    for _ in range(depth):
        value = {"a": value}
    assert len(list(pods_in(workload("example.com/v1", "X", value)))) == 1


def test_what_is_deeper_is_left_out_and_what_stands_beside_it_is_found() -> None:
    value: Any = {"template": TEMPLATE}
    for _ in range(31):
        value = {"a": value}
    document = workload("example.com/v1", "X", {"deep": value, "near": {"template": TEMPLATE}})
    assert [view.root for view in pods_in(document)] == [("spec", "near", "template")]


def test_the_depth_of_a_list_does_not_count_for_its_items() -> None:
    item: Any = workload("example.com/v1", "X", {"a": {"template": TEMPLATE}})
    for _ in range(12):
        item = {"apiVersion": "v1", "kind": "List", "items": [item]}
    assert [view.root for view in pods_in(item)] == [(*("items", 0) * 12, "spec", "a", "template")]


def test_nesting_without_end_is_not_followed() -> None:
    value: Any = {"template": TEMPLATE}
    items: Any = BAD
    for _ in range(50_000):
        value, items = {"a": [value]}, {"kind": "List", "items": [items]}
    assert list(pods_in(workload("example.com/v1", "X", value))) == []
    assert list(pods_in(items)) == []


@pytest.mark.parametrize(("version", "kind", "whole"), [("v1", "Pod", BAD), ("apps/v1", "Deployment", KINDS["Deployment"][0])])
def test_an_item_of_a_typed_list_has_its_kind_and_version_from_the_list(version: str, kind: str, whole: Json) -> None:
    bare = {key: value for key, value in whole.items() if key not in ("apiVersion", "kind")}
    (finding,) = ENGINE.examine({"apiVersion": version, "kind": f"{kind}List", "items": [bare]}).errors
    assert (finding.kind, finding.path.parts[:2]) == (kind, ("items", 0))
    assert ENGINE.examine({"apiVersion": version, "kind": "List", "items": [bare]}).findings == ()


def test_an_item_that_names_its_kind_is_taken_as_it_is() -> None:
    named = {key: value for key, value in KINDS["Deployment"][0].items() if key != "apiVersion"}
    assert ENGINE.examine({"apiVersion": "apps/v1", "kind": "DeploymentList", "items": [named]}).findings == ()
