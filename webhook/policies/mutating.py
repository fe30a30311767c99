"""MutatingAdmissionPolicies: the scheduler name and the limits annotation, to the byte as the webhook writes them."""

from collections.abc import Iterator, Sequence

from webhook.core.patch import UNSET_NAMES
from webhook.policies import bindings, cel, judgement, keys, matching
from webhook.policies.bindings import API, Action
from webhook.policies.documents import Object
from webhook.policies.judgement import Severities
from webhook.policies.model import Site
from webhook.policies.shares import MOST_CONTAINERS, WHOLE, Variables

_NAME = "percard-pods"


def is_possible(site: Site) -> bool:
    """Say whether a pod of the dialect stays in it: one that is to be translated is the webhook's alone."""
    target = site.rules.target
    return target is None or target.id == site.dialect.id


def policies(sites: Sequence[Site], severities: Severities, action: Action) -> Iterator[Object]:
    """Yield the policy for the dialects of all sites and its binding."""
    spec = {
        # A pod that is not patched is refused by the validating policy where it needs the patch.
        "failurePolicy": "Ignore",
        "reinvocationPolicy": "IfNeeded",
        "matchConstraints": matching.constraints(sites[0], "CREATE"),
        "matchConditions": matching.conditions(sites, also_unmarked=False),
        "variables": [{"name": name, "expression": expression} for name, expression in _variables(sites, severities)],
        "mutations": [{"patchType": "JSONPatch", "jsonPatch": {"expression": _operations(sites)}}],
    }
    yield {"apiVersion": API, "kind": "MutatingAdmissionPolicy", "metadata": bindings.metadata(_NAME), "spec": spec}
    yield bindings.mutating(_NAME, action)


def _variables(sites: Sequence[Site], severities: Severities) -> Variables:
    yield from judgement.of_new_pods(sites, severities, "error")
    for site in sites:
        alone = f"{site.variable('marked')} && !({keys.is_mixed(site)})"
        yield site.name("right"), cel.all_of([alone, _is_exact(site), f"{site.variable('created')}.size() == 0"])
        yield site.name("limits"), _limits(site)


def _operations(sites: Sequence[Site]) -> str:
    lists = [f"({site.variable('right')} ? ({_annotation(site)})\n+ ({_scheduler(site)}) : [])" for site in sites]
    return cel.joined(lists)


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
    key, limits = cel.text(site.rules.limits_key), site.variable("limits")
    path = f"'/metadata/annotations/' + jsonpatch.escapeKey({key})"
    parents = "has(object.metadata.annotations) ? [] : [JSONPatch{op: 'add', path: '/metadata/annotations', value: {}}]"
    write = f"JSONPatch{{op: 'add', path: {path}, value: {limits}}}"
    return f"{site.variable('annotations')}[?{key}].orValue('') == {limits} ? [] :\n({parents})\n+ [{write}]"


def _scheduler(site: Site) -> str:
    dialect = site.dialect
    name = f"{site.variable('spec')}.?schedulerName.orValue('')"
    kept = [dialect.scheduler_name, *(UNSET_NAMES if dialect.scheduler_name in UNSET_NAMES else ()), *dialect.accepted_schedulers]
    replaced = f"!({name} in {cel.texts(kept)})"
    if site.rules.foreign_scheduler != "override":
        replaced += f" && {name} in {cel.texts(UNSET_NAMES)}"
    write = f"JSONPatch{{op: 'add', path: '/spec/schedulerName', value: {cel.text(dialect.scheduler_name)}}}"
    return f"{replaced} ? [{write}] : []"
