"""Which requests a policy is evaluated for: the kinds, and conditions that let all others pass cheaply."""

from collections.abc import Iterator, Sequence
from typing import Any

from webhook.policies import cel, keys
from webhook.policies.documents import Object
from webhook.policies.model import Site
from webhook.policies.shares import template

_POD_RULES = (("", ("pods",)),)
_WORKLOAD_RULES = (
    ("", ("podtemplates", "replicationcontrollers")),
    ("apps", ("daemonsets", "deployments", "replicasets", "statefulsets")),
    ("batch", ("cronjobs", "jobs")),
)
_MIRROR = "kubernetes.io/config.mirror"


def constraints(site: Site, *operations: str) -> Object:
    """Return the kinds and operations of a policy."""
    rules = _POD_RULES if site.subject == "pods" else _WORKLOAD_RULES
    return {"resourceRules": [_rule(group, resources, operations) for group, resources in rules]}


def _rule(group: str, resources: tuple[str, ...], operations: tuple[str, ...]) -> dict[str, Any]:
    return {
        "apiGroups": [group],
        "apiVersions": ["v1"],
        "resources": list(resources),
        "operations": list(operations),
        "scope": "Namespaced",
    }


def conditions(sites: Sequence[Site], *, also_unmarked: bool) -> list[Object]:
    """Return the conditions of a policy; one that tells of misplaced keys has to look at labels and annotations too."""
    concerned = _any_limit(sites[0], cel.any_of(keys.is_mark(site, "k") for site in sites))
    if also_unmarked:
        concerned = cel.joined_lines("||", [concerned, _carries_pod_keys(sites)])
    return [
        {"name": "shares-gpus", "expression": concerned},
        {"name": "is-not-leaving", "expression": "oldObject == null || !has(dyn(oldObject).metadata.deletionTimestamp)"},
        *(_of_pods() if sites[0].subject == "pods" else _of_workloads()),
    ]


def _of_pods() -> Iterator[Object]:
    yield {
        "name": "is-no-mirror-pod",
        "expression": f"!({cel.text(_MIRROR)} in {cel.mapping_at('dyn(object)', 'metadata', 'annotations')})",
    }


def _of_workloads() -> Iterator[Object]:
    owners = cel.list_at("dyn(object)", "metadata", "ownerReferences")
    yield {"name": "is-no-copy", "expression": f"!{owners}.exists(o, o.?controller.orValue(false))"}
    changed = f"oldObject == null || {template('dyn(object)')} != {template('dyn(oldObject)')}"
    yield {"name": "has-a-new-template", "expression": changed}


def _root(site: Site) -> str:
    return "dyn(object)" if site.subject == "pods" else template("dyn(object)")


def _any_limit(site: Site, condition: str) -> str:
    """Return a condition: does a key `k` in the limits of a container meet the condition? No variable is at hand here."""
    containers = " + ".join(cel.list_at(_root(site), "spec", field) for field in ("containers", "initContainers"))
    return f"({containers})\n.exists(c, {keys.limits('c')}.exists(k, {condition}))"


def _carries_pod_keys(sites: Sequence[Site]) -> str:
    """Return a condition: are there keys without a mark? A translated pod may have kept those of the dialect that it came in."""
    site = sites[0]
    keyed = cel.joined_lines("||", _pod_keys(site, [key for one in sites for key in one.dialect.pod_keys]))
    if not site.rules.target_keep_source:
        return keyed
    return f"({keyed})\n&& !({cel.text(site.rules.source_key)} in {cel.mapping_at(_root(site), 'metadata', 'annotations')})"


def _pod_keys(site: Site, known: Sequence[str]) -> Iterator[str]:
    for root in dict.fromkeys((_root(site), "dyn(object)")):
        for place in ("labels", "annotations"):
            yield f"{cel.texts(known)}.exists(k, k in {cel.mapping_at(root, 'metadata', place)})"
    yield _any_limit(site, f"k in {cel.texts(known)}")
