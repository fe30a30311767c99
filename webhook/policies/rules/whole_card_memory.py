"""`whole-card-memory`: whole cards leave memory out where they come with all of it."""

from collections.abc import Iterator

from webhook.policies import cel
from webhook.policies.messages import amount, each
from webhook.policies.model import Rule, Site
from webhook.policies.shares import WHOLE


def _complaints(site: Site) -> Iterator[str]:
    if site.dialect.whole_cards_leave_memory_out:
        beside = "' beside ' + string(s.core) + ' % of compute, which takes ' + string(s.cards) + ' whole'"
        rule = cel.text(f"; whole cards must leave memory out; leave {site.key('memory')} out")
        yield each(site, f"s.memory >= 0 && {WHOLE}", amount("memory"), beside, rule)


RULE = Rule(check="whole-card-memory", complaints=_complaints)
