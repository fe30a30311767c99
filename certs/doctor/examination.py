"""The examination: every question in order."""

from certs.doctor import servers, webhooks
from certs.doctor.facts import Expected, Facts, Finding

_QUESTIONS = (
    servers.kubernetes,
    webhooks.presence,
    webhooks.marks,
    webhooks.policies,
    webhooks.namespaces,
    webhooks.neighbours,
    servers.certificate,
    servers.servers,
    servers.versions,
    servers.answers,
)


def examine(facts: Facts, expected: Expected) -> list[Finding]:
    """Return what was found, in the order of the questions."""
    return [finding for question in _QUESTIONS for finding in question(facts, expected)]
