"""`misplaced-key`: pod-level keys stand where the stack reads them, beside a container that asks."""

from collections.abc import Iterator

from webhook.checks.misplaced_key import OTHER, article_for
from webhook.policies import cel, keys
from webhook.policies.model import Rule, Site


def _complaints(site: Site) -> Iterator[str]:
    yield _in_resources(site)
    for key, place in site.dialect.pod_keys.items():
        lacking = f"{cel.text(key)} in {site.variable(place)} && !{site.variable('marked')}"
        yield cel.only_if(lacking, cel.text(f"{key} has no effect: no container asks for a share"))
        other = OTHER[place]
        yield _elsewhere(site, key, site.variable(other), f"the {other[:-1]} {key}", "pod")
        if site.subject == "workloads":
            for found in (place, other):
                owner = cel.mapping_at("dyn(object)", "metadata", found)
                yield _elsewhere(site, key, owner, f"the {found[:-1]} {key} of the workload", "pod template")


def _elsewhere(site: Site, key: str, found: str, named: str, pod: str) -> str:
    """Return a message on a key that stands elsewhere; beside one in its place only where the two contradict each other."""
    place = site.dialect.pod_keys[key]
    literal, here = cel.text(key), site.variable(place)
    missing = cel.text(f"{named} has no effect; it must be {article_for(place)} of the {pod}")
    says = cel.text(f"{named} has no effect; {article_for(place)} of the {pod} says ")
    text = f"({literal} in {here} ? {cel.said(says, cel.quoted(f'string({here}[{literal}])'), cel.text(', and that counts'))} : {missing})"
    return cel.only_if(f"{literal} in {found} && (!({literal} in {here}) || {found}[{literal}] != {here}[{literal}])", text)


def _in_resources(site: Site) -> str:
    rule = cel.text(" in a container's resources has no effect; it belongs to the metadata of the pod")
    return keys.each_holder(site, f"k in {cel.texts(key for key in site.dialect.pod_keys if '/' in key)}", rule)


RULE = Rule(check="misplaced-key", complaints=_complaints)
