"""ValidatingAdmissionPolicies: one for each dialect, pods or workloads, and errors or warnings; each with its bindings."""

from collections.abc import Iterator
from typing import Any

from webhook.policies import bindings, judgement, matching
from webhook.policies.bindings import API, Action
from webhook.policies.documents import Object
from webhook.policies.judgement import Level, Severities
from webhook.policies.model import Site

# The API server drops a message of more than 5,120 bytes; what is quoted is plain ASCII, names are too.
_MOST_CHARACTERS = 4000
_MOST_FINDINGS = 6


def policies(site: Site, severities: Severities, action: Action) -> Iterator[Object]:
    """Yield the policies of a site with their bindings."""
    for level in ("error", "warning"):
        policy = _policy(site, severities, level)
        if policy is not None:
            yield policy
            yield from bindings.validating(policy["metadata"]["name"], action, may_deny=level == "error")


def _policy(site: Site, severities: Severities, level: Level) -> dict[str, Any] | None:
    if not judgement.parts_of(site, severities, level):
        return None
    judge = judgement.of_pod if site.subject == "pods" else judgement.of_template
    spec = {
        "failurePolicy": "Fail",
        "matchConstraints": matching.constraints(site, "CREATE", "UPDATE"),
        "matchConditions": matching.conditions(site, also_misplaced=level == "warning"),
        "variables": [{"name": name, "expression": expression} for name, expression in judge(site, severities, level)],
        "validations": [_validation(site)],
    }
    name = f"percard-{site.dialect.id.replace('_', '-')}-{site.subject}{'-warnings' if level == 'warning' else ''}"
    return {"apiVersion": API, "kind": "ValidatingAdmissionPolicy", "metadata": bindings.metadata(name), "spec": spec}


def _validation(site: Site) -> Object:
    numbers = list(range(_MOST_FINDINGS))
    first = f"{numbers}.filter(i, i < variables.found.size()).map(i, variables.found[i])"
    more = "(variables.found.size() > first.size() ? '; and ' + string(variables.found.size() - first.size()) + ' more' : '')"
    cut = f"t.size() > {_MOST_CHARACTERS} ? t.substring(0, {_MOST_CHARACTERS}) + ' ...' : t"
    return {
        "expression": "variables.found.size() == 0",
        "message": f"percard: the share of GPUs is not one that {site.dialect.title} can give; percard check says what is wrong",
        "messageExpression": f"[{first}].map(first, 'percard: ' + first.join('; ') + {more}).map(t, {cut})[0]",
    }
