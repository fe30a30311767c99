"""`compute-unsupported`: no compute over several cards where the stack shares out their memory alone."""

from collections.abc import Iterator

from webhook.policies import cel
from webhook.policies.messages import amount, each
from webhook.policies.model import Rule, Site


def _complaints(site: Site) -> Iterator[str]:
    if site.dialect.compute_over_several_cards:
        return
    for role in ("core", "tflops"):
        if role in site.dialect.resources:
            asked = "' asks for compute on ' + string(s.cards) + ' cards'"
            rule = cel.text(f"; several cards share memory only; leave {site.key(role)} out, or ask for one card")
            yield each(site, f"s.cards > 1 && s.{role} >= 0", amount(role), asked, rule)


RULE = Rule(check="compute-unsupported", complaints=_complaints)
