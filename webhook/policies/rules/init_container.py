"""`init-container`: an init container gets no share."""

from collections.abc import Iterator

from webhook.policies import cel, keys
from webhook.policies.messages import container
from webhook.policies.model import Rule, Site
from webhook.policies.shares import name_of


def _complaints(site: Site) -> Iterator[str]:
    if not site.dialect.init_containers_share:
        rule = cel.text(f"is an init container, to which {site.dialect.title} allocates no share; ask for the share in spec.containers")
        asking = f"{site.variable('init_containers')}.filter(c, {keys.asks(site.dialect, 'c')})"
        yield f"{asking}.map(c, {cel.said(container(name_of('c')), rule)})"


RULE = Rule(check="init-container", complaints=_complaints)
