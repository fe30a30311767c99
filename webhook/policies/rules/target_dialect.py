"""`target-dialect`: translates a pod, which is more than an expression can do."""

from webhook.policies.model import Rule

RULE = Rule(check="target-dialect", reason="a translation is a program, not an expression")
