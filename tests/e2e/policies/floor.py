"""A control plane with percard's policies installed, and namespaces in which only some of them hold."""

import copy
import re
import time
from dataclasses import dataclass
from typing import Any

from tests.e2e.policies.client import Client
from tests.e2e.processes import wait_for
from webhook import Stage
from webhook.core.engine import Engine
from webhook.core.plugin import Dialect
from webhook.policies.catalogue import rules
from webhook.policies.generation import policies
from webhook.policies.model import Version

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
# API servers before 1.36 crash where a policy is evaluated while another one is compiled (kubernetes/kubernetes#135757).
_SETTLING_SECONDS = 5
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
    patching: bool

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


def install(client: Client, engine: Engine, version: Version = "1.36") -> Floor:
    """Install the policies of an engine for a version; return once they hold."""
    for name, labels in NAMESPACES.items():
        _create(client, "/api/v1/namespaces", {"metadata": {"name": name, "labels": labels}})
    made = list(policies(engine, version=version))
    for obj in made:
        _create(client, f"{_API}/{_plural(obj['kind'])}", _narrowed(obj))
    patching = any(obj["kind"] == "MutatingAdmissionPolicy" for obj in made)
    floor = Floor(client, engine, frozenset(rule.check for rule in rules().values() if rule.holds_on(version)), patching)
    if version != "1.36":
        # A policy is compiled again once its types were checked, as its status then changes.
        floor.type_warnings()
        time.sleep(_SETTLING_SECONDS)
    wait_for(lambda: _holds(floor), "the policies do not hold")
    return floor


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


def _holds(floor: Floor) -> bool:
    """Say whether every policy is in force, by probes of each dialect and subject, right and wrong."""
    time.sleep(1)
    return all(_answers(floor, _probe(dialect, right=right)) for dialect in floor.engine.dialects for right in (True, False))


def _answers(floor: Floor, pod: Json) -> bool:
    """Say whether a pod and a workload of it are judged, and the pod patched, as the engine has it."""
    client, is_wrong = floor.client, bool(floor.engine.examine(pod, stage=Stage.MUTATE).errors)
    workload = _workload(pod)
    judged = [bool(client.create(pod, "judged").denied_by) is is_wrong or not pod["spec"].get("nodeName")]
    judged.append(bool(client.create(workload, "judged").denied_by) is bool(floor.engine.examine(workload, stage=Stage.VALIDATE).errors))
    judged.append(bool(client.create(pod, "warned").warned_by) or not is_wrong)
    judged.append(bool(client.create(workload, "warned").warned_by) or not floor.engine.examine(workload, stage=Stage.VALIDATE).findings)
    patch = floor.engine.examine(pod, stage=Stage.MUTATE).patch if floor.patching else ()
    return all(judged) and bool(client.create(pod, "patched").body["metadata"].get("annotations")) is bool(patch)


def _probe(dialect: Dialect, *, right: bool) -> Json:
    """Return a pod of whole figures on one card, that names its node where it is to be wrong."""
    amounts = {dialect.resources["memory"]: str(8 * dialect.memory_min_mib // dialect.memory_unit_mib * dialect.memory_step_mib)}
    amounts[dialect.resources["core"]] = str(dialect.core_step_percent)
    container = {"name": "app", "image": "registry.example/app:1", "resources": {"limits": amounts}}
    spec = {"containers": [container]} | ({} if right else {"nodeName": "node-1"})
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "probe"}, "spec": spec}


def _workload(pod: Json) -> Json:
    labels = {"app": "probe"}
    spec = {"selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}, "spec": pod["spec"]}}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "probe"}, "spec": spec}
