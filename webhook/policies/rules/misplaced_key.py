"""`misplaced-key`: pod-level keys stand where the stack reads them, beside a container that asks."""

from collections.abc import Iterator

from webhook.checks.misplaced_key import OTHER
from webhook.policies import cel, keys
from webhook.policies.model import Rule, Site


def _complaints(site: Site) -> Iterator[str]:
    yield _in_resources(site)
    for key, place in site.dialect.pod_keys.items():
        literal, here = cel.text(key), site.variable(place)
        absent, kind = f"!({literal} in {here})", place[:-1]
        lacking = f"{literal} in {here} && !{site.variable('marked')}"
        yield cel.only_if(lacking, cel.text(f"{key} has no effect: no container asks for a share"))
        other = OTHER[place]
        move = f"has no effect; move it to metadata.{place} of the pod"
        yield cel.only_if(f"{absent} && {literal} in {site.variable(other)}", cel.text(f"the {other[:-1]} {key} {move}"))
        if site.subject == "workloads":
            for found in (place, other):
                owner = cel.mapping_at("dyn(object)", "metadata", found)
                text = cel.text(f"the {found[:-1]} {key} of the workload has no effect; it must be a {kind} of the pod template")
                yield cel.only_if(f"{absent} && {literal} in {owner}", text)


def _in_resources(site: Site) -> str:
    rule = cel.text(" in a container's resources has no effect; it belongs to the metadata of the pod")
    return keys.each_holder(site, f"k in {cel.texts(key for key in site.dialect.pod_keys if '/' in key)}", rule)


RULE = Rule(
    check="misplaced-key", complaints=_complaints, reason="beside a key in its place nothing is said of a second one that contradicts it"
)
