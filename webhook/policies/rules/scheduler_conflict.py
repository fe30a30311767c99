"""`scheduler-conflict`: the scheduler is one that knows the dialect's keys, or is still to be written."""

from collections.abc import Iterator

from webhook.core.patch import DEFAULT_SCHEDULER, UNSET_NAMES
from webhook.core.wording import either
from webhook.policies import cel, keys
from webhook.policies.model import Rule, Site


def _complaints(site: Site) -> Iterator[str]:
    if site.rules.foreign_scheduler == "deny":
        yield from _foreign(site)


def _softened(site: Site) -> Iterator[str]:
    if site.rules.foreign_scheduler == "warn":
        yield from _foreign(site)


def _foreign(site: Site) -> Iterator[str]:
    known = _known(site)
    allowed = either([*(f"'{one}'" for one in known), "absent"])
    rule = cel.text(f" does not know the keys of {site.dialect.title}; schedulerName must be {allowed}")
    foreign = f"{_is_alone(site)} && !({_name(site)} in {cel.texts([*known, *UNSET_NAMES])})"
    yield cel.only_if(foreign, cel.said(cel.quoted(_name(site)), rule))


def _unpatched(site: Site) -> Iterator[str]:
    rules, known = site.rules, _known(site)
    if site.subject != "pods" or (rules.target is not None and rules.target.id != site.dialect.id):
        return
    passes = [*known, *(UNSET_NAMES if DEFAULT_SCHEDULER in known else ())]
    condition = f"{site.variable('asking')}.size() > 0 && {_is_alone(site)} && !({_name(site)} in {cel.texts(passes)})"
    if rules.foreign_scheduler != "override":
        condition += f" && {_name(site)} in {cel.texts(UNSET_NAMES)}"
    wanted, count = site.dialect.scheduler_name, site.dialect.count_key
    rule = cel.text(f"nothing has set this pod's scheduler, and another would ignore its {count}; write schedulerName: {wanted}")
    yield cel.only_if(condition, rule)


def _known(site: Site) -> list[str]:
    return [site.dialect.scheduler_name, *site.dialect.accepted_schedulers]


def _name(site: Site) -> str:
    return f"{site.variable('spec')}.?schedulerName.orValue('')"


def _is_alone(site: Site) -> str:
    """Return a condition: is the pod written in this dialect and no other? Which scheduler is right is open else."""
    return f"{site.variable('marked')} && !({keys.is_mixed(site)})"


RULE = Rule(check="scheduler-conflict", complaints=_complaints, softened=_softened, unpatched=_unpatched)
