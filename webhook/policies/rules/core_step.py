"""`core-step`: compute divides into multiples of the step on each card."""

from collections.abc import Iterator

from webhook.policies.messages import amount, core_rule, each, nearest_core, split
from webhook.policies.model import Rule, Site
from webhook.policies.shares import is_in_bytes


def _complaints(site: Site) -> Iterator[str]:
    dialect = site.dialect
    one_card = "" if dialect.compute_over_several_cards else " && s.cards == 1"
    uneven = f"s.core > 0 && s.cards > 0 && s.core % (s.cards * {dialect.core_step_percent}) != 0"
    condition = f"{uneven}{one_card} && !({is_in_bytes(dialect, 'core')})"
    yield each(site, condition, amount("core"), "' is '", split("s.core", "%"), core_rule(site), nearest_core(site))


RULE = Rule(check="core-step", complaints=_complaints)
