"""A control plane with percard's policies installed, and namespaces in which only some of them hold."""

import copy
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tests.e2e.policies.client import Client
from tests.e2e.processes import wait_for
from webhook.core.engine import Engine
from webhook.policies.generation import policies
from webhook.policies.model import Rule

Json = dict[str, Any]
# Labels of namespaces in which the one half or the other does not hold, as if it were not installed.
UNPATCHED, UNJUDGED = "e2e.test/unpatched", "e2e.test/unjudged"
MODE = "percard.webhook/mode"
# Nothing holds in `bare`; in the others pods are judged, judged as warnings, patched, or all of it as users have it.
NAMESPACES: dict[str, dict[str, str]] = {
    "bare": {MODE: "off"},
    "judged": {UNPATCHED: "yes"},
    "warned": {UNPATCHED: "yes", MODE: "warn"},
    "patched": {UNJUDGED: "yes"},
    "both": {},
}
_API = "/apis/admissionregistration.k8s.io/v1"
_SERIES = re.compile(r"^(apiserver_[a-z_]*admission[a-z_]*_(?:check|evaluation_errors)_total)\{(.*)\} [1-9].*$", re.MULTILINE)
# A policy that refuses counts as `invalid_error`; one that fails and is ignored lets pass, and says so.
_FAILED = re.compile(r'error_type="(?:compile_error|out_of_budget)"|enforcement_action="allow"')


@dataclass(frozen=True, slots=True)
class Floor:
    """Where the policies are installed, the engine that they were made from, and the checks that they claim to know."""

    client: Client
    engine: Engine
    claimed: frozenset[str]

    def failures(self) -> list[str]:
        """Return the API server's metrics of expressions that failed; one that fails under `Fail` refuses with other words."""
        series = _SERIES.findall(self.client.text("/metrics"))
        return [f"{name} {labels}" for name, labels in series if _is_failure(name, labels)]

    def type_warnings(self) -> list[tuple[str, Any]]:
        """Return what the type checker has against each policy, once it has seen all of them."""
        wait_for(lambda: all("typeChecking" in policy.get("status", {}) for policy in self.validating()), "policies are not type-checked")
        return [
            (policy["metadata"]["name"], policy["status"]["typeChecking"])
            for policy in self.validating()
            if policy["status"]["typeChecking"]
        ]

    def validating(self) -> list[Json]:
        """Return the validating policies as they are stored."""
        found: list[Json] = self.client.request("GET", f"{_API}/validatingadmissionpolicies").body["items"]
        return found


def _is_failure(name: str, labels: str) -> bool:
    if "mutating" in name:
        return 'error_type="no_error"' not in labels
    return name.endswith("evaluation_errors_total") or _FAILED.search(labels) is not None


def install(client: Client, engine: Engine, rules: Iterable[Rule]) -> Floor:
    """Install the policies of an engine; return once they hold."""
    for name, labels in NAMESPACES.items():
        _create(client, "/api/v1/namespaces", {"metadata": {"name": name, "labels": labels}})
    for obj in policies(engine):
        _create(client, f"{_API}/{_plural(obj['kind'])}", _narrowed(obj))
    wait_for(lambda: _holds(client), "the policies do not hold")
    return Floor(client, engine, frozenset(rule.check for rule in rules if rule.is_expressed))


def _create(client: Client, path: str, obj: Json) -> None:
    reply = client.request("POST", path, obj)
    assert reply.ok, reply.message


def _plural(kind: str) -> str:
    return f"{kind.lower()}s" if kind.endswith("Binding") else f"{kind.lower().removesuffix('y')}ies"


def _narrowed(obj: Any) -> Json:
    """Return an object as shipped; a binding keeps away from the namespaces of the other half."""
    whole: Json = copy.deepcopy(dict(obj))
    if whole["kind"].endswith("Binding"):
        label = UNPATCHED if whole["kind"].startswith("Mutating") else UNJUDGED
        whole["spec"]["matchResources"]["namespaceSelector"]["matchExpressions"].append({"key": label, "operator": "DoesNotExist"})
    return whole


def _holds(client: Client) -> bool:
    """Say whether every policy is in force, by a probe of each dialect and subject."""
    time.sleep(1)
    bad = [
        _probe("vke.volcengine.com/mgpu-core", "volcengine"),
        _probe("volcano.sh/gpu-core.percentage", "huawei"),
        _probe("aliyun.com/gpu-core.percentage", "alibaba"),
    ]
    refused = [reply for pod in bad for reply in (client.create(pod, "judged"), client.create(_workload(pod), "judged"))]
    warned = [client.create(pod, "warned") for pod in bad]
    patched = client.create(_right(), "patched")
    return (
        all(reply.denied_by for reply in refused) and all(reply.warned_by for reply in warned) and "annotations" in patched.body["metadata"]
    )


def _probe(key: str, name: str) -> Json:
    container = {"name": name, "image": "registry.example/app:1", "resources": {"limits": {key: "7"}}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": {"containers": [container], "nodeName": "node-1"}}


def _workload(pod: Json) -> Json:
    labels = {"app": "probe"}
    spec = {"selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}, "spec": pod["spec"]}}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "probe"}, "spec": spec}


def _right() -> Json:
    container = {"name": "app", "image": "registry.example/app:1", "resources": {"limits": {"volcano.sh/gpu-mem.128Mi": "64"}}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "right"}, "spec": {"containers": [container]}}
