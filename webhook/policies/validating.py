"""ValidatingAdmissionPolicies: one for pods, one for workloads, and one of each for what only warns; each with its bindings."""

from collections.abc import Iterator, Sequence
from typing import Any

from webhook.core.finding import Severity
from webhook.policies import bindings, judgement, matching
from webhook.policies.bindings import API, Action
from webhook.policies.catalogue import concerns_unmarked_pods
from webhook.policies.documents import Object
from webhook.policies.judgement import Severities
from webhook.policies.model import Site

# The API server drops a message of more than 5,120 bytes; what is quoted is plain ASCII, names are too.
_MOST_CHARACTERS = 4000
_MOST_FINDINGS = 6


def policies(sites: Sequence[Site], severities: Severities, action: Action) -> Iterator[Object]:
    """Yield the policies for the dialects of all sites, which are for the same subject, with their bindings."""
    for level in ("error", "warning"):
        policy = _policy(sites, severities, level)
        if policy is not None:
            yield policy
            yield from bindings.validating(policy["metadata"]["name"], action, may_deny=level == "error")


def _policy(sites: Sequence[Site], severities: Severities, level: Severity) -> dict[str, Any] | None:
    parts = [part for site in sites for part in judgement.parts_of(site, severities, level)]
    if not parts:
        return None
    subject = sites[0].subject
    judge = judgement.of_pods if subject == "pods" else judgement.of_templates
    spec = {
        "failurePolicy": "Fail",
        "matchConstraints": matching.constraints(sites[0], "CREATE", "UPDATE"),
        "matchConditions": matching.conditions(sites, also_unmarked=any(concerns_unmarked_pods(part.check) for part in parts)),
        "variables": [{"name": name, "expression": expression} for name, expression in judge(sites, severities, level)],
        "validations": [_validation()],
    }
    name = f"percard-{subject}{'-warnings' if level == 'warning' else ''}"
    return {"apiVersion": API, "kind": "ValidatingAdmissionPolicy", "metadata": bindings.metadata(name), "spec": spec}


def _validation() -> Object:
    numbers = list(range(_MOST_FINDINGS))
    first = f"{numbers}.filter(i, i < variables.found.size()).map(i, variables.found[i])"
    more = "(variables.found.size() > first.size() ? '; and ' + string(variables.found.size() - first.size()) + ' more' : '')"
    cut = f"t.size() > {_MOST_CHARACTERS} ? t.substring(0, {_MOST_CHARACTERS}) + ' ...' : t"
    return {
        "expression": "variables.found.size() == 0",
        "message": "percard: GPUs cannot be shared as the pod asks; percard check says what is wrong",
        "messageExpression": f"[{first}].map(first, 'percard: ' + first.join('; ') + {more}).map(t, {cut})[0]",
    }
