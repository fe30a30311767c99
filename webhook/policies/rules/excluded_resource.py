"""`excluded-resource`: a pod that shares cards asks for no whole ones."""

from collections.abc import Iterator

from webhook.policies import cel, keys
from webhook.policies.model import Rule, Site


def _complaints(site: Site) -> Iterator[str]:
    conditions = [f"({cel.is_one_of('k', site.rules.whole_card_keys)})"]
    own = site.dialect.resources.get("cards")
    if own is not None:
        conditions.append(f"k != {cel.text(own)}")
    conditions.append("quantity(string(h.limits[k])).isGreaterThan(quantity('0'))")
    rule = "' asks for whole cards in a pod that shares cards; a pod must not ask for both'"
    yield f"!{site.variable('marked')} ? [] : {keys.each_holder(site, ' && '.join(conditions), rule)}"


RULE = Rule(check="excluded-resource", complaints=_complaints)
