"""All policies of an engine: its dialects, checks and settings as Kubernetes objects."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from webhook.core.engine import Engine
from webhook.policies import mutating, reach, validating
from webhook.policies.bindings import Action
from webhook.policies.catalogue import rule_of, rules
from webhook.policies.documents import Object
from webhook.policies.judgement import Severities
from webhook.policies.model import MUTATING_SINCE, Site, Version

Kind = Literal["validating", "mutating", "all"]


def policies(engine: Engine, kind: Kind = "all", version: Version = "1.36", action: Action = "deny") -> Iterator[Object]:
    """Yield the policies for every dialect that can be said in CEL, each followed by its bindings."""
    severities = severities_of(engine, version)
    sites = [Site(dialect, engine.dialects, engine.rules, "pods") for dialect in engine.dialects if not reach.obstacle(engine, dialect)]
    if kind != "mutating" and sites:
        yield from validating.policies(sites, severities, action)
        yield from _of_workloads([replace(site, subject="workloads") for site in sites], severities, action)
    patched = [site for site in sites if mutating.is_possible(site)]
    if kind != "validating" and version == MUTATING_SINCE and patched:
        yield from mutating.policies(patched, severities, action)


def _of_workloads(sites: Sequence[Site], severities: Severities, action: Action) -> Iterator[Object]:
    level = sites[0].rules.workloads
    if level == "warning":
        severities = [(check, rule, "warning") for check, rule, _ in severities]
    if level != "off":
        yield from validating.policies(sites, severities, action)


def severities_of(engine: Engine, version: Version) -> Severities:
    """Return each check that policies judge by with its rule and the severity in force, those that are off left out."""
    known = rules()
    found = [(check, rule_of(check, known), engine.rules.severity(check.id, check.severity)) for check in engine.checks]
    return [(check, rule, level) for check, rule, level in found if level != "off" and rule.holds_on(version)]


def unsaid(engine: Engine, kind: Kind, version: Version) -> Iterator[str]:
    """Yield what of the settings in force the policies cannot say."""
    for dialect, reason in reach.obstacles(engine):
        yield f"no policies for {dialect.title}: {reason}"
    yield from _unsaid_by_all(engine)
    if kind != "validating":
        yield from _unsaid_by_mutating(engine, version)


def _unsaid_by_all(engine: Engine) -> Iterator[str]:
    """Yield what no policy says of any pod; of the checks that percard comes with, docs/policies.md tells that."""
    if all(reach.obstacle(engine, dialect) for dialect in engine.dialects):
        yield "nothing to print: no dialect in force has policies"
        return
    known = rules()
    for check in engine.checks:
        if check.id not in known and engine.rules.severity(check.id, check.severity) != "off":
            yield f"the policies leave out {check.id}: {rule_of(check, known).reason}"


def _unsaid_by_mutating(engine: Engine, version: Version) -> Iterator[str]:
    if version != MUTATING_SINCE:
        yield (
            "no mutating policy: a pod's scheduler must be set by whoever writes it, or by the webhook;"
            f" clusters from Kubernetes {MUTATING_SINCE} on get one with --min-version {MUTATING_SINCE}"
        )
        return
    if engine.rules.target is not None:
        yield f"no mutating policies for pods that become {engine.rules.target.title}: the webhook alone translates"
    if engine.rules.inject_env:
        yield "the mutating policies write no environment variables"
