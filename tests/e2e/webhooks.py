"""Webhook configurations that call percard by URL."""

import base64
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Object = dict[str, Any]

_KUBERNETES_OWN = ["kube-system", "kube-node-lease"]
# The modes of a namespace in which a configuration has no say.
_EXEMPT = {"Mutating": ("audit", "off"), "Validating": ("warn", "audit", "off")}
# A label of namespaces whose pods do not reach /mutate, as if the call had failed.
UNPATCHED = "e2e.test/unpatched"
_WORKLOADS = (
    ("apps", "v1", ["deployments", "statefulsets", "daemonsets", "replicasets"]),
    ("batch", "v1", ["jobs", "cronjobs"]),
    ("", "v1", ["replicationcontrollers"]),
    ("batch.volcano.sh", "v1alpha1", ["jobs"]),
)


def mutating(url: str, ca_file: Path, name: str = "percard.e2e.test") -> Object:
    """Return a configuration that sends the creation of pods to a URL, and lets them pass where it is down."""
    rules = [_rule("", "v1", ["pods"], ["CREATE"])]
    return _configuration("Mutating", name, url, ca_file, {"rules": rules, "failurePolicy": "Ignore", "reinvocationPolicy": "IfNeeded"})


def validating(url: str, ca_file: Path, name: str = "percard.e2e.test") -> Object:
    """Return a configuration that sends pods and workloads to a URL, and refuses them where it is down."""
    operations = ["CREATE", "UPDATE"]
    rules = [_rule("", "v1", ["pods"], operations), *(_rule(*workload, operations) for workload in _WORKLOADS)]
    return _configuration("Validating", name, url, ca_file, {"rules": rules, "failurePolicy": "Fail"})


def only_in(namespace: str, configuration: Object) -> Object:
    """Return the configuration for one namespace alone."""
    selector = {"matchLabels": {"kubernetes.io/metadata.name": namespace}}
    return {**configuration, "webhooks": [{**webhook, "namespaceSelector": selector} for webhook in configuration["webhooks"]]}


def _configuration(kind: str, name: str, url: str, ca_file: Path, what: Mapping[str, object]) -> Object:
    exempt = [_not_in("percard.webhook/mode", *_EXEMPT[kind])]
    if kind == "Mutating":
        exempt.append(_not_in(UNPATCHED, "true"))
    webhook = {
        "name": name,
        "clientConfig": {"url": url, "caBundle": base64.b64encode(ca_file.read_bytes()).decode()},
        "namespaceSelector": {"matchExpressions": [_not_in("kubernetes.io/metadata.name", *_KUBERNETES_OWN), *exempt]},
        "admissionReviewVersions": ["v1"],
        "sideEffects": "None",
        "timeoutSeconds": 3,
        "matchPolicy": "Equivalent",
        **what,
    }
    kind = f"{kind}WebhookConfiguration"
    return {"apiVersion": "admissionregistration.k8s.io/v1", "kind": kind, "metadata": {"name": name}, "webhooks": [webhook]}


def _not_in(key: str, *values: str) -> Object:
    return {"key": key, "operator": "NotIn", "values": list(values)}


def _rule(group: str, version: str, resources: Sequence[str], operations: Sequence[str]) -> Object:
    return {
        "apiGroups": [group],
        "apiVersions": [version],
        "resources": list(resources),
        "operations": list(operations),
        "scope": "Namespaced",
    }
