"""The shipped webhook configurations, with `service` turned into `url`, for servers that run as plain processes."""

import base64
from pathlib import Path
from typing import Any

import yaml

Object = dict[str, Any]

_FOLDER = Path(__file__).parents[2] / "manifests" / "base" / "webhooks"
# A label of namespaces whose pods do not reach /mutate, as if the call had failed.
UNPATCHED = "e2e.test/unpatched"


def shipped(url: str, ca_file: Path) -> list[Object]:
    """Return the two configurations that percard ships, for a server at a URL."""
    found = [
        _with_url(yaml.safe_load((_FOLDER / name).read_text(encoding="utf-8")), url, ca_file)
        for name in ("mutating.yaml", "validating.yaml")
    ]
    for webhook in found[0]["webhooks"]:
        webhook["namespaceSelector"]["matchExpressions"].append({"key": UNPATCHED, "operator": "DoesNotExist"})
    return found


def only_in(namespace: str, configuration: Object) -> Object:
    """Return a configuration for one namespace alone."""
    selector = {"matchLabels": {"kubernetes.io/metadata.name": namespace}}
    return {**configuration, "webhooks": [{**webhook, "namespaceSelector": selector} for webhook in configuration["webhooks"]]}


def mutating_pods(name: str, url: str, ca_file: Path) -> Object:
    """Return a configuration of another team: it sends the creation of every pod to a URL."""
    webhook = {
        "name": f"{name}.e2e.test",
        "clientConfig": _client_config(url, ca_file),
        "rules": [{"apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"], "operations": ["CREATE"], "scope": "Namespaced"}],
        "admissionReviewVersions": ["v1"],
        "sideEffects": "None",
        "timeoutSeconds": 5,
        "failurePolicy": "Fail",
        "reinvocationPolicy": "IfNeeded",
    }
    api = "admissionregistration.k8s.io/v1"
    return {"apiVersion": api, "kind": "MutatingWebhookConfiguration", "metadata": {"name": name}, "webhooks": [webhook]}


def _with_url(configuration: Object, url: str, ca_file: Path) -> Object:
    for webhook in configuration["webhooks"]:
        webhook["clientConfig"] = _client_config(url + webhook["clientConfig"]["service"]["path"], ca_file)
    return configuration


def _client_config(url: str, ca_file: Path) -> Object:
    return {"url": url, "caBundle": base64.b64encode(ca_file.read_bytes()).decode()}
