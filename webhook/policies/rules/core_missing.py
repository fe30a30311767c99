"""`core-missing`: a share asks for compute where the dialect has no shares of memory alone."""

from collections.abc import Iterator

from webhook.policies import cel
from webhook.policies.messages import each, over
from webhook.policies.model import Rule, Site


def _complaints(site: Site) -> Iterator[str]:
    if site.dialect.compute_required:
        yield each(site, "s.core < 0", "'asks for memory '", over("s"), cel.text(f" without compute; {site.key('core')} must be set"))


RULE = Rule(check="core-missing", complaints=_complaints)
