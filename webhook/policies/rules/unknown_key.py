"""`unknown-key`: a resource name in a stack's namespace is one that the stack knows."""

from collections.abc import Iterator

from webhook.policies import cel, keys
from webhook.policies.model import Rule, Site


def _complaints(site: Site) -> Iterator[str]:
    dialect = site.dialect
    foreign = keys.foreign(site)
    unknown = cel.any_of([keys.is_unknown(site, "k"), *([f"k in {cel.texts(foreign)}"] if foreign else [])])
    known = ", ".join(dialect.resources.values())
    rule = cel.text(f" is no key of {dialect.title}: no node offers it, the pod would stay Pending; its keys are {known}")
    yield f"!{site.variable('marked')} ? [] : {keys.each_holder(site, unknown, rule)}"


RULE = Rule(check="unknown-key", complaints=_complaints, reason="keys in another case and labels one character off are not noticed")
