"""`pod-request`: concerns stacks alone whose way of counting cards has no expression."""

from webhook.policies.model import Rule

RULE = Rule(check="pod-request", reason="only dialects that have no policies need it")
