"""`mixed-dialects`: a pod is written in one dialect."""

from collections.abc import Iterator

from webhook.policies import cel
from webhook.policies.model import Rule, Site


def _complaints(site: Site) -> Iterator[str]:
    for other in site.others:
        mixed = f"{site.variable('marked')} && {other.variable('marked')}"
        keys = f"the pod has keys of {site.dialect.title} beside keys of {other.dialect.title}"
        yield cel.only_if(mixed, cel.text(f"{keys}; a pod must be written in one dialect"))


RULE = Rule(check="mixed-dialects", complaints=_complaints)
