"""Definitions of the custom resources in the shipped table: as lenient as a schema can be."""

from typing import Any

from tools import custom_resources

Object = dict[str, Any]
VERSION = "v1"
_OF_OTHERS = (
    ("cert-manager.io", "Certificate"),
    ("cert-manager.io", "Issuer"),
    ("monitoring.coreos.com", "PodMonitor"),
    ("monitoring.coreos.com", "PrometheusRule"),
)


def kind_of(resource: str) -> str:
    """Return a kind that no other resource of the table has."""
    return resource.capitalize()


def definitions() -> list[Object]:
    """Return a CustomResourceDefinition for each resource of the table, and those that the manifests make use of."""
    resources = [_definition(group, resource) for group, resources in custom_resources.rules() for resource in resources]
    return [*resources, *(_definition(group, f"{kind.lower()}s", kind) for group, kind in _OF_OTHERS)]


def _definition(group: str, resource: str, kind: str | None = None) -> Object:
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    metadata: Object = {"name": f"{resource}.{group}"}
    if group.endswith((".k8s.io", ".x-k8s.io")):
        # Names under k8s.io are protected; this says where they were approved.
        metadata["annotations"] = {"api-approved.kubernetes.io": "unapproved, for a test"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": metadata,
        "spec": {
            "group": group,
            "scope": "Namespaced",
            "names": {"kind": kind or kind_of(resource), "plural": resource, "singular": resource.removesuffix("s")},
            "versions": [{"name": VERSION, "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
        },
    }
