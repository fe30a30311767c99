"""Where a policy holds, and what becomes of what it finds: by the same label of the namespace that the webhook goes by."""

from collections.abc import Iterator
from typing import Any, Literal, get_args

from webhook.policies.documents import Object

Action = Literal["deny", "warn", "audit"]
API = "admissionregistration.k8s.io/v1"
MODE_LABEL = "percard.webhook/mode"
# As in the shipped webhook configurations.
_EXCLUDED = ("kube-node-lease", "kube-system")


def metadata(name: str) -> dict[str, Any]:
    """Return the metadata of an object."""
    return {"name": name, "labels": {"app.kubernetes.io/name": "percard"}}


def validating(policy: str, action: Action, *, may_deny: bool) -> Iterator[Object]:
    """Yield a policy's bindings: one for namespaces that name no mode, one for each other mode; warnings never deny."""
    modes: tuple[Action, ...] = get_args(Action)
    others = [mode for mode in modes if mode != action]
    yield _validating(policy, action, {"operator": "NotIn", "values": sorted([*others, "off"])}, may_deny=may_deny)
    for mode in others:
        yield _validating(policy, mode, {"operator": "In", "values": [mode]}, may_deny=may_deny)


def _validating(policy: str, mode: Action, selector: dict[str, Any], *, may_deny: bool) -> Object:
    action = "warn" if mode == "deny" and not may_deny else mode
    spec = {"policyName": policy, "validationActions": [action.capitalize()], "matchResources": _namespaces(selector)}
    return {"apiVersion": API, "kind": "ValidatingAdmissionPolicyBinding", "metadata": metadata(f"{policy}-{mode}"), "spec": spec}


def mutating(policy: str, action: Action) -> Object:
    """Return a policy's binding: pods are patched where the webhook would patch them."""
    selector = {"operator": "NotIn", "values": ["audit", "off"]} if action != "audit" else {"operator": "In", "values": ["deny", "warn"]}
    spec = {"policyName": policy, "matchResources": _namespaces(selector)}
    return {"apiVersion": API, "kind": "MutatingAdmissionPolicyBinding", "metadata": metadata(policy), "spec": spec}


def _namespaces(mode: dict[str, Any]) -> dict[str, Any]:
    excluded = {"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": list(_EXCLUDED)}
    return {"namespaceSelector": {"matchExpressions": [excluded, {"key": MODE_LABEL, **mode}]}}
