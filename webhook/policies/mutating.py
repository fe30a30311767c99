"""MutatingAdmissionPolicies: the scheduler name and the limits annotation, to the byte as the webhook writes them."""

from collections.abc import Iterator

from webhook.core.patch import UNSET_SCHEDULERS
from webhook.policies import bindings, cel, judgement, matching
from webhook.policies.bindings import API, Action
from webhook.policies.documents import Object
from webhook.policies.judgement import Severities
from webhook.policies.model import Site
from webhook.policies.shares import MOST_CONTAINERS, WHOLE, Variables

_UNSET = tuple(name for name in UNSET_SCHEDULERS if name is not None)


def is_possible(site: Site) -> bool:
    """Say whether a pod of the dialect stays in it: one that is to be translated is the webhook's alone."""
    target = site.rules.target
    return target is None or target.id == site.dialect.id


def policies(site: Site, severities: Severities, action: Action) -> Iterator[Object]:
    """Yield the policy of a dialect and its binding."""
    name = f"percard-{site.dialect.id.replace('_', '-')}"
    spec = {
        # A pod that is not patched is refused by the validating policy where it needs the patch.
        "failurePolicy": "Ignore",
        "reinvocationPolicy": "IfNeeded",
        "matchConstraints": matching.constraints(site, "CREATE"),
        "matchConditions": matching.conditions(site, also_misplaced=False),
        "variables": [{"name": name, "expression": expression} for name, expression in _variables(site, severities)],
        "mutations": [
            {"patchType": "JSONPatch", "jsonPatch": {"expression": expression}} for expression in (_annotation(site), _scheduler(site))
        ],
    }
    yield {"apiVersion": API, "kind": "MutatingAdmissionPolicy", "metadata": bindings.metadata(name), "spec": spec}
    yield bindings.mutating(name, action)


def _variables(site: Site, severities: Severities) -> Variables:
    yield from judgement.of_new_pod(site, severities, "error")
    yield "right", cel.all_of([_is_exact(site), f"!{site.variable('mixed')}", f"{site.variable('created')}.size() == 0"])
    yield "limits", _limits(site)


def _is_exact(site: Site) -> str:
    """Return a condition: does every share divide into whole figures, under a name of its own? Nothing is patched else.

    Policies that change an object come before the API server validates it, so that names may still be anything.
    """
    shares, askers = site.variable("shares"), site.variable("askers")
    few = f"{site.variable('containers')}.size() <= {MOST_CONTAINERS}"
    readable = [f"s.{role} != 0" for role in site.dialect.resources]
    whole = cel.all_of(
        ["s.cards > 0", *readable, "s.mib % s.cards == 0", "(s.core < 0 || s.core % s.cards == 0)", "s.name.matches('^[a-z0-9-]+$')"]
    )
    alone = f"{askers}.all(n, {askers}.filter(m, m == n).size() == 1)"
    return f"{few} && {shares}.size() > 0 && {shares}.all(s, {whole}) && {alone}"


def _limits(site: Site) -> str:
    core = """(s.core > 0 ? ',"corePercent":' + string(s.core / s.cards) : '')"""
    at_least = ',"memoryAtLeast":true' if site.dialect.memory_is_lower_bound else ""
    memory = f"""(s.memory > 0 ? '{at_least},"memoryMiB":' + string(s.mib / s.cards) : '')"""
    if site.dialect.full_compute_is_whole_card:
        memory = f"""({WHOLE} ? ',"whole":true' : {memory})"""
    figures = f"""'"' + s.name + '":{{"cards":' + string(s.cards) + {core} + {memory} + '}}'"""
    listed = f"{site.variable('shares')}.sortBy(s, string(s.name)).map(s, {figures}).join(',')"
    return f"""'{{"containers":{{' + {listed} + '}},"dialect":"{site.dialect.id}"}}'"""


def _annotation(site: Site) -> str:
    key = site.rules.limits_key
    path = f"'/metadata/annotations/' + jsonpatch.escapeKey({cel.text(key)})"
    parents = "has(object.metadata.annotations) ? [] : [JSONPatch{op: 'add', path: '/metadata/annotations', value: {}}]"
    write = f"JSONPatch{{op: 'add', path: {path}, value: {site.variable('limits')}}}"
    differs = f"{site.variable('annotations')}[?{cel.text(key)}].orValue('') != {site.variable('limits')}"
    return f"!{site.variable('right')} || !({differs}) ? [] :\n({parents})\n+ [{write}]"


def _scheduler(site: Site) -> str:
    dialect = site.dialect
    name = f"{site.variable('spec')}.?schedulerName.orValue('')"
    kept = [dialect.scheduler_name, *(_UNSET if dialect.scheduler_name in _UNSET else ()), *dialect.accepted_schedulers]
    replaced = f"!({name} in {cel.texts(kept)})"
    if site.rules.foreign_scheduler != "override":
        replaced += f" && {name} in {cel.texts(_UNSET)}"
    write = f"JSONPatch{{op: 'add', path: '/spec/schedulerName', value: {cel.text(dialect.scheduler_name)}}}"
    return f"{site.variable('right')} && {replaced} ? [{write}] : []"
