"""The rules by check: collected from their folder as dialects and checks are from theirs."""

import webhook.policies.rules
from webhook.core.needs import Need
from webhook.core.plugin import Check, collect
from webhook.policies.model import Rule


def rules() -> dict[str, Rule]:
    """Return every rule by the id of its check."""
    return {rule.check: rule for rule in collect(webhook.policies.rules, "RULE")}


def rule_of(check: Check, known: dict[str, Rule]) -> Rule:
    """Return the rule of a check, one without an expression where nobody has written any."""
    return known.get(check.id, Rule(check=check.id, reason="nobody has written it as an expression yet"))


def is_of_creation(check: Check) -> bool:
    """Say whether a check is about new objects alone."""
    return bool(check.needs & Need.CREATING)


def is_of_update(check: Check) -> bool:
    """Say whether a check is about a change alone."""
    return bool(check.needs & Need.OLD)


def needs_an_unfit_share(check: Check) -> bool:
    """Say whether a check has nothing to say where every share and count is plainly right."""
    return bool(check.needs & Need.UNFIT)


def concerns_unmarked_pods(check: Check) -> bool:
    """Say whether a check is about pods too that hold no mark, but a key that belongs beside one."""
    return check.needs == Need.NOTHING
