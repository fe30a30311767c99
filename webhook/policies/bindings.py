"""Where a policy holds, and what becomes of what it finds: by the same label of the namespace that the webhook goes by."""

from collections.abc import Iterator
from typing import Any, Literal, get_args

from webhook.policies.documents import Object

Action = Literal["deny", "warn", "audit"]
API = "admissionregistration.k8s.io/v1"
MODE_LABEL = "percard.webhook/mode"
_MODES: tuple[Action, ...] = get_args(Action)
# As in the shipped webhook configurations, which leave percard's own namespace out as well: it must come up without percard.
_EXCLUDED = ("kube-node-lease", "kube-system")


def metadata(name: str) -> dict[str, Any]:
    """Return the metadata of an object."""
    return {"name": name, "labels": {"app.kubernetes.io/name": "percard"}}


def validating(policy: str, default: Action, *, may_deny: bool) -> Iterator[Object]:
    """Yield a policy's bindings, one for each action; namespaces that name no mode have the default; warnings never deny."""
    actions: dict[Action, list[Action]] = {}
    for mode in _MODES:
        actions.setdefault("warn" if mode == "deny" and not may_deny else mode, []).append(mode)
    for action, modes in actions.items():
        others = sorted([*(mode for mode in _MODES if mode not in modes), "off"])
        selector = {"operator": "NotIn", "values": others} if default in modes else {"operator": "In", "values": sorted(modes)}
        spec = {"policyName": policy, "validationActions": [action.capitalize()], "matchResources": _namespaces(selector)}
        yield {"apiVersion": API, "kind": "ValidatingAdmissionPolicyBinding", "metadata": metadata(f"{policy}-{action}"), "spec": spec}


def mutating(policy: str, default: Action) -> Object:
    """Return a policy's binding: pods are patched where the webhook would patch them."""
    patched = {"operator": "NotIn", "values": ["audit", "off"]} if default != "audit" else {"operator": "In", "values": ["deny", "warn"]}
    spec = {"policyName": policy, "matchResources": _namespaces(patched)}
    return {"apiVersion": API, "kind": "MutatingAdmissionPolicyBinding", "metadata": metadata(policy), "spec": spec}


def _namespaces(mode: dict[str, Any]) -> dict[str, Any]:
    excluded = {"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": list(_EXCLUDED)}
    return {"namespaceSelector": {"matchExpressions": [excluded, {"key": MODE_LABEL, **mode}]}}
