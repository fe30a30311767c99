"""`requests-limits`: the API server itself refuses it before a policy is asked."""

from webhook.policies.model import Rule

RULE = Rule(
    check="requests-limits",
    reason="Kubernetes refuses it: a request for an extended resource equals its limit, in pods and in the templates of built-in kinds",
    refused_by_kubernetes=True,
)
