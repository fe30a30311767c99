"""What admission policies add to the creation of a pod, beside and together with the webhook."""

import json
from statistics import median
from typing import Any

from bench import bodies
from bench.site import Site, by_turns, pod_of
from tests.e2e.processes import wait_for
from webhook import build_engine
from webhook.policies.generation import policies

_GPU_ROUNDS, _PLAIN_ROUNDS = 400, 1000
_POLICIES, _BOTH = "bench-policies", "bench-both"
_NAMESPACES = {"nothing": "bench-none", "policies": _POLICIES, "webhook": "bench-percard", "both": _BOTH}
_LIMITS = "percard.webhook/limits"


def compare_policies(site: Site) -> None:
    """Install the policies for two namespaces and print what each way of being judged adds to a pod's creation."""
    _install(site)
    _print(site, "a GPU pod", pod_of(bodies.patched()), _GPU_ROUNDS)
    _print(site, "a pod without marks", pod_of(bodies.unmarked()), _PLAIN_ROUNDS)


def _install(site: Site) -> None:
    kubectl = site.cluster.kubectl
    for namespace in (_POLICIES, _BOTH):
        kubectl.succeed("create", "namespace", namespace)
    # Without the label the webhook is called too.
    kubectl.succeed("label", "namespace", _POLICIES, "percard.webhook/mode=off")
    items = [_narrowed(json.loads(json.dumps(obj))) for obj in policies(build_engine())]
    kubectl.succeed("create", "-f", "-", given={"apiVersion": "v1", "kind": "List", "items": items})
    wait_for(lambda: _is_patched(site), "the policies do not patch")


def _narrowed(obj: dict[str, Any]) -> dict[str, Any]:
    """Return an object as it is shipped, a binding for the two namespaces alone and whatever their label says."""
    if obj["kind"].endswith("Binding"):
        chosen = {"key": "kubernetes.io/metadata.name", "operator": "In", "values": [_POLICIES, _BOTH]}
        default = obj["metadata"]["name"].endswith("-deny") or obj["kind"].startswith("Mutating")
        obj["spec"]["matchResources"]["namespaceSelector"]["matchExpressions"] = [chosen] if default else [{**chosen, "values": ["none"]}]
    return obj


def _is_patched(site: Site) -> bool:
    flags = ("create", "-n", _POLICIES, "--dry-run=server", "-o", "json", "-f", "-")
    answer = site.cluster.kubectl.run(*flags, given=pod_of(bodies.patched()).decode())
    return answer.code == 0 and _LIMITS in json.loads(answer.out)["metadata"].get("annotations", {})


def _print(site: Site, what: str, pod: bytes, rounds: int) -> None:
    times = by_turns(site, list(_NAMESPACES.values()), pod, rounds)
    middle = {name: median(times[namespace]) for name, namespace in _NAMESPACES.items()}
    base_ms = middle.pop("nothing")
    gains = ", ".join(f"{name} {taken_ms - base_ms:+.2f}" for name, taken_ms in middle.items())
    print(f"creation of {what}, policies and webhook ({rounds} by turns), median ms: nothing {base_ms:.2f}; gained: {gains}", flush=True)
