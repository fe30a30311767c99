"""`isolation-bypass`: a container that shares is not privileged, and switches no isolation off."""

from collections.abc import Iterable, Iterator

from webhook.checks.isolation_bypass import NO_DEVICES, OFF, VISIBLE_DEVICES
from webhook.policies import cel
from webhook.policies.messages import container
from webhook.policies.model import Rule, Site
from webhook.policies.shares import name_of


def _complaints(site: Site) -> Iterator[str]:
    asking = site.variable("asking")
    message = cel.said(container(name_of("c")), "'is privileged: it sees every card of the node, whatever its share says'")
    yield f"{asking}.filter(c, c.?securityContext.?privileged.orValue(false)).map(c, {message})"
    lifting = f"{cel.list_at('c', 'env')}.filter(e, {_lifts(site)}).map(e, {name_of('e')})"
    sets = cel.said(container(name_of("c")), "'sets '", f"{lifting}.join(', ')", "', which lifts the isolation of its share'")
    yield f"{asking}.filter(c, {lifting}.size() > 0).map(c, {sets})"


def _lifts(site: Site) -> str:
    """A variable whose value comes from elsewhere, or is left out, is no value that is known to be harmless."""
    variable = name_of("e")
    visible = f"{variable} == {cel.text(VISIBLE_DEVICES)} && !({_value_in(NO_DEVICES)})"
    flags = site.dialect.isolation_flags
    others = [pattern for pattern in site.dialect.isolation_env if pattern not in flags]
    lifting = [f"(({cel.is_one_of(variable, flags)}) && !({_value_in(OFF)}))"] if flags else []
    lifting += [f"({cel.is_one_of(variable, others)})"] if others else []
    return " || ".join([f"({visible})", *lifting]) if lifting else visible


def _value_in(values: Iterable[str]) -> str:
    return f"has(e.value) && string(e.value) in {cel.texts(values)}"


RULE = Rule(check="isolation-bypass", complaints=_complaints)
