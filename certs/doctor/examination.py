"""The examination: every question in order."""

from certs.doctor import servers, webhooks
from certs.doctor.facts import Expected, Facts, Finding

_QUESTIONS = (
    servers.kubernetes,
    webhooks.presence,
    webhooks.marks,
    webhooks.policies,
    webhooks.floor,
    webhooks.namespaces,
    webhooks.neighbours,
    servers.certificate,
    servers.servers,
    servers.versions,
    servers.answers,
)


# Where nothing of percard runs there is nothing else to ask.
_OF_POLICIES_ALONE = (servers.kubernetes, webhooks.floor, servers.answers)


def examine(facts: Facts, expected: Expected) -> list[Finding]:
    """Return what was found, in the order of the questions."""
    is_installed = facts.floor is None or any((facts.validating, facts.mutating, facts.deployment))
    questions = _QUESTIONS if is_installed else _OF_POLICIES_ALONE
    return [finding for question in questions for finding in question(facts, expected)]
