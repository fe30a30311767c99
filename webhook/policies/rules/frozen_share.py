"""`frozen-share`: the labels and annotations that a pod's cards were chosen by stay as they are once it has a node."""

from collections.abc import Iterator

from webhook.policies import cel
from webhook.policies.model import Rule, Site


def _complaints(site: Site) -> Iterator[str]:
    if site.subject != "pods":
        return
    old = site.before()
    bound = f"{old.variable('spec')}.?nodeName.orValue('') != '' && {old.variable('asking')}.size() > 0"
    for key, place in site.dialect.pod_keys.items():
        now, then = (f"{one.variable(place)}[?{cel.text(key)}]" for one in (site, old))
        changed = f"{bound} && {now} != {then}"
        if key == site.dialect.count_key:
            changed += f" && !({_same_cards(site)})"
        yield cel.only_if(
            changed,
            cel.text(f"{key} must stay as it is: the pod has had its cards since it was given a node; delete the pod and create it anew"),
        )


def _same_cards(site: Site) -> str:
    cards, then = (f"{one.variable('shares')}.map(s, s.cards)" for one in (site, site.before()))
    return f"{cards} == {then} && !(0 in {cards})"


RULE = Rule(
    check="frozen-share", complaints=_complaints, reason="amounts are not compared: Kubernetes itself freezes the resources of a pod"
)
