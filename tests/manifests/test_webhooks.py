"""The webhook configurations: what is sent, when, and what happens where nobody answers."""

import json
from typing import Any

import pytest

from tests.manifests import shipped
from webhook.admission.scope import ENDPOINTS

ALL = [pytest.param(name, entry, id=f"{name}-{entry['name']}") for name in shipped.CONFIGURATIONS for entry in shipped.entries(name)]
VALIDATING = "base/webhooks/validating.yaml"
MUTATING = "base/webhooks/mutating.yaml"
AUDITING = "overlays/audit-first/validating.yaml"
# The limit of `metadata.annotations`, in which `kubectl apply` keeps what it sent (apimachinery, TotalAnnotationSizeLimitB).
MOST_ANNOTATION_BYTES = 256 << 10
# k8s.io/kubernetes, admissionregistration validation.
MOST_MATCH_CONDITIONS = 64


def _selects(entry: dict[str, Any], labels: dict[str, str]) -> bool:
    """Say whether an entry's namespaceSelector takes a namespace with these labels (labels.Selector of apimachinery)."""
    for requirement in entry["namespaceSelector"]["matchExpressions"]:
        value = labels.get(requirement["key"])
        if requirement["operator"] == "In" and value not in requirement["values"]:
            return False
        if requirement["operator"] == "NotIn" and value in requirement["values"]:
            return False
        assert requirement["operator"] in {"In", "NotIn"}
    return True


def _paths(name: str, labels: dict[str, str]) -> set[str]:
    namespace = {"kubernetes.io/metadata.name": "team-a"} | labels
    return {entry["clientConfig"]["service"]["path"] for entry in shipped.entries(name) if _selects(entry, namespace)}


@pytest.mark.parametrize(("name", "entry"), ALL)
def test_an_entry_calls_a_path_that_the_server_has(name: str, entry: dict[str, Any]) -> None:
    path = entry["clientConfig"]["service"]["path"]
    assert path.removeprefix("/") in ENDPOINTS
    assert (path == "/mutate") == (name == MUTATING)


@pytest.mark.parametrize(("name", "entry"), ALL)
def test_an_entry_follows_good_practice(name: str, entry: dict[str, Any]) -> None:
    assert entry["timeoutSeconds"] == 3
    assert entry["sideEffects"] == "None"
    assert entry["matchPolicy"] == "Equivalent"
    assert entry["admissionReviewVersions"] == ["v1"]
    assert entry.get("reinvocationPolicy") == ("IfNeeded" if name == MUTATING else None)
    assert "caBundle" not in entry["clientConfig"]


@pytest.mark.parametrize(("name", "entry"), ALL)
def test_only_the_enforcing_entries_refuse_where_nobody_answers(name: str, entry: dict[str, Any]) -> None:
    assert (entry["failurePolicy"] == "Fail") == (entry["clientConfig"]["service"]["path"] == "/validate")
    if name == AUDITING:
        assert entry["failurePolicy"] == "Ignore"


@pytest.mark.parametrize(("name", "entry"), ALL)
def test_an_entry_names_its_groups_and_resources_and_no_subresource(name: str, entry: dict[str, Any]) -> None:
    for rule in entry["rules"]:
        assert "*" not in rule["apiGroups"]
        assert rule["scope"] == "Namespaced"
        assert rule["operations"] == (["CREATE"] if name == MUTATING else ["CREATE", "UPDATE"])
        assert not [resource for resource in rule["resources"] if "/" in resource or "*" in resource]
        assert "controllerrevisions" not in rule["resources"]


@pytest.mark.parametrize(("name", "entry"), ALL)
def test_a_condition_asks_nothing_that_is_missing_at_run_time(name: str, entry: dict[str, Any]) -> None:
    conditions = entry["matchConditions"]
    assert 1 <= len(conditions) <= MOST_MATCH_CONDITIONS, name
    for condition in conditions:
        assert condition["expression"].startswith("object != null && (")
        assert not [word for word in ("namespaceObject", "oldObject", "authorizer", "params") if word in condition["expression"]]


@pytest.mark.parametrize("name", shipped.CONFIGURATIONS)
def test_a_configuration_fits_into_the_annotation_of_kubectl_apply(name: str) -> None:
    assert len(json.dumps(shipped.read(name))) < MOST_ANNOTATION_BYTES


@pytest.mark.parametrize("name", shipped.CONFIGURATIONS)
def test_the_entries_of_a_configuration_have_different_names(name: str) -> None:
    names = [entry["name"] for entry in shipped.entries(name)]
    assert len(set(names)) == len(names)
    assert all(entry.count(".") >= 2 for entry in names)


@pytest.mark.parametrize(
    ("labels", "validated", "mutated"),
    [
        ({}, {"/validate"}, {"/mutate"}),
        ({"percard.webhook/mode": "deny"}, {"/validate"}, {"/mutate"}),
        ({"percard.webhook/mode": "Audit"}, {"/validate"}, {"/mutate"}),
        ({"percard.webhook/mode": "warn"}, {"/validate/warn"}, {"/mutate"}),
        ({"percard.webhook/mode": "audit"}, {"/validate/audit"}, set()),
        ({"percard.webhook/mode": "off"}, set(), set()),
        ({"kubernetes.io/metadata.name": "kube-system"}, set(), set()),
        ({"kubernetes.io/metadata.name": "kube-node-lease"}, set(), set()),
        ({"kubernetes.io/metadata.name": "percard-system"}, set(), set()),
    ],
    ids=["no label", "deny", "a misspelt mode", "warn", "audit", "off", "kube-system", "kube-node-lease", "its own namespace"],
)
def test_a_namespace_s_label_chooses_what_is_called(labels: dict[str, str], validated: set[str], mutated: set[str]) -> None:
    assert _paths(VALIDATING, labels) == validated
    assert _paths(MUTATING, labels) == mutated


@pytest.mark.parametrize("mode", ["", "deny", "warn", "audit"])
def test_a_first_look_audits_every_namespace_whatever_its_label(mode: str) -> None:
    assert _paths(AUDITING, {"percard.webhook/mode": mode}) == {"/validate/audit"}


def test_a_first_look_leaves_out_namespaces_that_are_off() -> None:
    assert _paths(AUDITING, {"percard.webhook/mode": "off"}) == set()


def test_every_kind_that_makes_pods_is_sent_on_create_and_update() -> None:
    sent = {
        (group, version, resource)
        for entry in shipped.entries(VALIDATING)
        if entry["name"] == "workloads.deny.percard.webhook"
        for rule in entry["rules"]
        for group in rule["apiGroups"]
        for version in rule["apiVersions"]
        for resource in rule["resources"]
    }
    assert sent == {
        ("", "v1", "pods"),
        ("", "v1", "podtemplates"),
        ("", "v1", "replicationcontrollers"),
        ("apps", "v1", "daemonsets"),
        ("apps", "v1", "deployments"),
        ("apps", "v1", "replicasets"),
        ("apps", "v1", "statefulsets"),
        ("batch", "v1", "cronjobs"),
        ("batch", "v1", "jobs"),
    }


def test_pods_alone_are_sent_to_be_patched() -> None:
    (entry,) = shipped.entries(MUTATING)
    assert [(rule["apiGroups"], rule["resources"]) for rule in entry["rules"]] == [([""], ["pods"])]
