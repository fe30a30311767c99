"""`scheduler-bypass`: a new pod names no node."""

from collections.abc import Iterator

from webhook.policies import cel
from webhook.policies.model import Rule, Site


def _complaints(site: Site) -> Iterator[str]:
    node = f"{site.variable('spec')}.?nodeName.orValue('')"
    rule = "' binds the pod past every scheduler, so that none allocates its cards; choose the node with nodeSelector'"
    yield cel.only_if(f"{site.variable('marked')} && {node} != ''", cel.said("'nodeName '", cel.quoted(node), rule))


RULE = Rule(check="scheduler-bypass", complaints=_complaints)
