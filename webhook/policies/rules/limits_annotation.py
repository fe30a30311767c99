"""`limits-annotation`: compares parsed JSON, for which CEL has no reader."""

from webhook.policies.model import Rule

RULE = Rule(check="limits-annotation", reason="CEL reads no JSON; the mutating policy overwrites what a new pod brings along")
