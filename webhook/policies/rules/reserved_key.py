"""`reserved-key`: a new pod brings along no key that only schedulers write."""

from collections.abc import Iterator

from webhook.core.vocabulary import Vocabulary
from webhook.policies import cel
from webhook.policies.messages import container
from webhook.policies.model import Rule, Site
from webhook.policies.shares import name_of

_RULE = "' is written by the scheduler when it allocates cards; a new pod must not bring it along'"


def _complaints(site: Site) -> Iterator[str]:
    reserved = cel.is_one_of("k", Vocabulary(site.dialects, ()).reserved.patterns)
    for place in ("annotations", "labels"):
        found = site.variable(place)
        yield f"(!{site.variable('marked')} ? [] : {found}.filter(k, {reserved}).map(k, {cel.said('k', _RULE)}))"
    names = f"{cel.list_at('c', 'env')}.map(e, {name_of('e')}).filter(k, {reserved})"
    message = cel.said(container(name_of("c")), f"{names}.join(', ')", _RULE)
    yield f"{site.variable('asking')}.filter(c, {names}.size() > 0).map(c, {message})"


RULE = Rule(check="reserved-key", complaints=_complaints)
