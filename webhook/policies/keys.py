"""Which keys of an object are a dialect's: conditions on resource names, and on the containers and pods that hold them."""

from webhook.core.patterns import KeyPatterns
from webhook.core.plugin import Dialect
from webhook.policies import cel
from webhook.policies.model import Site


def limits(container: str) -> str:
    """Return an expression for the limits of a container; a request alone is refused by Kubernetes itself."""
    return cel.mapping_at(container, "resources", "limits")


def asks(dialect: Dialect, container: str) -> str:
    """Return a condition: does a container ask for a share?"""
    return f"{cel.texts(dialect.marks.values())}.exists(k, k in {limits(container)})"


def is_unknown(site: Site, key: str) -> str:
    """Return a condition: is a resource name in the dialect's family, and nobody's?"""
    families = tuple(site.dialect.families)
    known = {one for other in site.dialects for one in (*other.marks.values(), *other.pod_keys, *other.foreign_keys)}
    strangers = [*(one for one in known if one.startswith(families)), *(one for one in site.rules.whole_card_keys if _meets(one, families))]
    in_family = cel.is_one_of(key, [f"{family}*" for family in families])
    return f"({in_family}) && !({cel.is_one_of(key, sorted(strangers))})" if strangers else in_family


def _meets(pattern: str, families: tuple[str, ...]) -> bool:
    start = pattern.removesuffix("*")
    return start.startswith(families) or (pattern.endswith("*") and any(family.startswith(start) for family in families))


def foreign(site: Site) -> list[str]:
    """Return the keys in the dialect's family that belong to stacks which are not in force."""
    whole_cards = KeyPatterns(site.rules.whole_card_keys)
    owned = {key for other in site.dialects for key in (*other.marks.values(), *other.pod_keys)}
    return [key for key in site.dialect.foreign_keys if key not in whole_cards and key not in owned]


def is_mark(site: Site, key: str) -> str:
    """Return a condition: does a resource name make its pod one of the dialect's?"""
    known = [f"{key} in {cel.texts(site.dialect.marks.values())}"] if site.dialect.marks else []
    return cel.any_of([*known, is_unknown(site, key)])


def is_marked(site: Site) -> str:
    """Return a condition: is the pod one of the dialect's?"""
    if site.dialect.amount_place != "resources":
        return f"{cel.texts(site.dialect.pod_keys)}.exists(k, k in {site.variable('annotations')})"
    return f"{site.variable('holding')}.exists(h, h.limits.exists(k, {is_mark(site, 'k')}))"


def is_mixed(site: Site) -> str:
    """Return a condition: is the pod one of another dialect's too?"""
    return cel.any_of(other.variable("marked") for other in site.others)


def each_holder(site: Site, key: str, *message: str) -> str:
    """Return a list of messages, one for each container that holds keys `k` which meet a condition; they begin with the keys."""
    found = f"h.limits.filter(k, {key}).join(', ')"
    return f"{site.variable('holding')}.filter(h, h.limits.exists(k, {key}))\n.map(h, {cel.said('h.label', found, *message)})"
