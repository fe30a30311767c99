"""What the policies cover: which check from which Kubernetes on, which dialect, and why not."""

from collections.abc import Iterator
from typing import NamedTuple

from webhook.core.engine import Engine
from webhook.core.plugin import Dialect
from webhook.policies import reach
from webhook.policies.catalogue import rule_of, rules
from webhook.policies.model import VERSIONS


class Covered(NamedTuple):
    """A check, whether policies for each Kubernetes version judge by it, and what differs or why they do not."""

    check: str
    versions: tuple[str, ...]
    remark: str


def checks(engine: Engine) -> Iterator[Covered]:
    """Yield every check."""
    known = rules()
    for check in sorted(engine.checks, key=lambda check: check.id):
        rule = rule_of(check, known)
        kept = "Kubernetes" if rule.refused_by_kubernetes else "no"
        yield Covered(check.id, tuple("yes" if rule.holds_on(version) else kept for version in VERSIONS), rule.reason)


def dialects(engine: Engine) -> Iterator[tuple[Dialect, str]]:
    """Yield every dialect that percard reads, enabled or not, with what keeps it from having policies."""
    knowing = engine.knowing_all()
    return ((dialect, reach.obstacle(knowing, dialect)) for dialect in knowing.dialects)
