"""`memory-missing`: a share asks for memory, unless it takes whole cards that come with it."""

from collections.abc import Iterator

from webhook.policies import cel
from webhook.policies.messages import each, over
from webhook.policies.model import Rule, Site
from webhook.policies.shares import WHOLE


def _complaints(site: Site) -> Iterator[str]:
    whole = f" && !({WHOLE})" if site.dialect.whole_cards_leave_memory_out else ""
    yield each(
        site, f"s.memory < 0{whole}", "'asks for compute '", over("s"), cel.text(f" without memory; {site.key('memory')} must be set")
    )


RULE = Rule(check="memory-missing", complaints=_complaints)
