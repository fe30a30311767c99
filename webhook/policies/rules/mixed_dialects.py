"""`mixed-dialects`: a pod is written in one dialect."""

from collections.abc import Iterator

from webhook.policies import cel, keys
from webhook.policies.model import Rule, Site


def _complaints(site: Site) -> Iterator[str]:
    for other in site.others:
        mixed = f"{site.variable('marked')} && {site.variable('mixed')} && {keys.is_marked(site, other)}"
        rule = cel.text(f"the pod has keys of {site.dialect.title} beside keys of {other.title}; a pod must be written in one dialect")
        yield cel.only_if(mixed, rule)


RULE = Rule(check="mixed-dialects", complaints=_complaints)
