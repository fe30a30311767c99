"""`core-range`: compute is at most 100 % on each card, also in sum where containers share cards."""

from collections.abc import Iterator

from webhook.core.portions import WHOLE_CARD_PERCENT
from webhook.core.quantity import MAX_VALUE
from webhook.policies import cel, sums
from webhook.policies.messages import amount, each, nearest_core, split
from webhook.policies.model import Rule, Site
from webhook.policies.shares import is_in_bytes


def _complaints(site: Site) -> Iterator[str]:
    dialect = site.dialect
    # Where several cards share no compute, `compute-unsupported` says it all.
    one_card = "" if dialect.compute_over_several_cards else "s.cards == 1 && "
    low, high = f"{one_card}s.core < s.cards * {dialect.core_min_percent}", f"s.core > s.cards * {WHOLE_CARD_PERCENT}"
    outside = f"s.core > 0 && s.cards > 0 && (({low}) || {high})"
    least = cel.text(f"; must be at least {dialect.core_min_percent} % on each card")
    rule = f"({low} ? {least} : '; must be at most {WHOLE_CARD_PERCENT} % on each card')"
    words = (amount("core"), "' is '", split("s.core", "%"), rule, nearest_core(site))
    yield each(site, f"{outside} && !({is_in_bytes(dialect, 'core')})", *words)
    if dialect.card_bears_all:
        rule = f"; must be at most {WHOLE_CARD_PERCENT} % on each card, as all its containers sit on the same cards"
        most = f"(s.cards > 0 ? int(s.cards) * {WHOLE_CARD_PERCENT} : {MAX_VALUE})"
        yield sums.exceeding(site, "core", most, rule, unless=outside)


RULE = Rule(check="core-range", complaints=_complaints)
