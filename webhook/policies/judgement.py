"""What a policy finds wrong with an object: the variables of its rules, and the list of all their messages."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from webhook.core.finding import Severity
from webhook.core.plugin import Check
from webhook.policies import cel
from webhook.policies.catalogue import concerns_unmarked_pods, is_of_creation, is_of_update, needs_an_unfit_share
from webhook.policies.model import Complaints, Rule, Site
from webhook.policies.shares import MOST_CONTAINERS, Variables, own, shared

Severities = Sequence[tuple[Check, Rule, str]]


@dataclass(frozen=True)
class Part:
    """The messages of one check, under the name of their variable."""

    check: Check
    name: str
    expression: str


def parts_of(site: Site, severities: Severities, level: Severity) -> list[Part]:
    """Return what the site's rules of one level say."""
    return [part for check, rule, in_force in severities for part in _parts(site, check, rule, in_force, level)]


def _parts(site: Site, check: Check, rule: Rule, in_force: str, level: Severity) -> Iterator[Part]:
    kinds = ((rule.complaints, in_force), (rule.softened, "warning"))
    lists = [found for complaints, of_level in kinds if of_level == level for found in _lists(complaints, site)]
    if lists:
        yield Part(check, site.name(rule.check.replace("-", "_")), with_id(lists, check))


def _lists(complaints: Complaints | None, site: Site) -> list[str]:
    return [] if complaints is None else list(complaints(site))


def with_id(lists: Sequence[str], check: Check) -> str:
    """Return one list of messages that end with the id of their check."""
    together = "\n+ ".join(f"({one})" for one in lists)
    return f"({together})\n.map(m, m + {cel.text(f' [{check.id}]')})"


def of_templates(sites: Sequence[Site], severities: Severities, level: Severity) -> Variables:
    """Yield the variables of a policy on workloads, `found` last: a changed template is judged as a new one."""
    yield from shared(sites[0])
    for site in sites:
        yield from _of_one(site, severities, level, "found")
    yield "found", _judgeable(sites, severities, level)


def of_new_pods(sites: Sequence[Site], severities: Severities, level: Severity) -> Variables:
    """Yield the variables of a policy on the creation of pods, `created` of each dialect last."""
    yield from shared(sites[0])
    for site in sites:
        yield from _of_one(site, severities, level, "created")


def _of_one(site: Site, severities: Severities, level: Severity, name: str) -> Variables:
    parts = _kept(parts_of(site, severities, level), lambda check: not is_of_update(check))
    yield from own(site)
    yield from _named(parts)
    yield site.name(name), _together(site, parts)


def of_pods(sites: Sequence[Site], severities: Severities, level: Severity) -> Variables:
    """Yield the variables of a policy on pods, `found` last: an update is told what was not wrong before."""
    yield from of_new_pods(sites, severities, level)
    if any(_looks_back(parts_of(site, severities, level), level) for site in sites):
        yield from shared(sites[0].before())
    for site in sites:
        yield from _of_changes(site, severities, level)
        created, new = site.variable("created"), site.variable("unpatched")
        new = f"({created}.size() > 0 ? {created} : {new})" if level == "error" else created
        yield site.name("found"), f"request.operation == 'CREATE' ? {new} : {site.variable('changed')}"
    yield "found", _judgeable(sites, severities, level)


def _of_changes(site: Site, severities: Severities, level: Severity) -> Variables:
    """Yield the variables of an UPDATE, `changed` and `unpatched` last; only errors are compared with those before."""
    changed = _kept(parts_of(site, severities, level), lambda check: not is_of_creation(check))
    before = site.before()
    if level == "warning":
        yield from own(before) if _looks_back(changed, level) else ()
        yield site.name("changed"), _together(site, changed)
        return
    kept = _kept(parts_of(before, severities, level), lambda check: not (is_of_creation(check) or is_of_update(check)))
    yield from own(before)
    yield from _named(kept)
    yield site.name("kept"), _together(before, kept)
    yield site.name("changed"), f"({_together(site, changed)})\n.filter(m, !(m in {site.variable('kept')}))"
    lists = [(check, found) for check, rule, _ in severities for found in _lists(rule.unpatched, site)]
    yield site.name("unpatched"), cel.joined(with_id([found], check) for check, found in lists)


def _looks_back(parts: Iterable[Part], level: Severity) -> bool:
    """Say whether the object before an UPDATE is of interest: to tell what is new, or for a rule about changes."""
    return level == "error" or any(is_of_update(part.check) for part in parts)


def _kept(parts: Iterable[Part], wanted: Callable[[Check], bool]) -> list[Part]:
    return [part for part in parts if wanted(part.check)]


def _named(parts: Iterable[Part]) -> Variables:
    """Yield a variable for each rule that is looked at only where something is not plainly right."""
    return ((part.name, part.expression) for part in parts if needs_an_unfit_share(part.check))


def _together(site: Site, parts: Sequence[Part]) -> str:
    """Return all messages: to evaluate a variable costs more than most rules, so that few have one."""
    unfit = cel.joined(f"variables.{part.name}" for part in parts if needs_an_unfit_share(part.check))
    others = [f"({part.expression})" for part in parts if not needs_an_unfit_share(part.check)]
    return cel.joined([*([] if unfit == cel.NOTHING else [f"({site.variable('fit')} ? [] :\n{unfit})"]), *others])


def _judgeable(sites: Sequence[Site], severities: Severities, level: Severity) -> str:
    """Return what was found, or that there is too much to look at: an expression that costs too much fails, which says less."""
    found = cel.joined(_of_marked(site, parts_of(site, severities, level)) for site in sites)
    rule = cel.text(f"the pod has more than {MOST_CONTAINERS} containers, more than a policy can judge")
    return f"{sites[0].variable('containers')}.size() > {MOST_CONTAINERS} ? [{rule}] : (\n{found}\n)"


def _of_marked(site: Site, parts: Iterable[Part]) -> str:
    """Return the messages of a dialect; none of them is about a pod of others only, unless one is about keys without a mark."""
    found = site.variable("found")
    always = any(concerns_unmarked_pods(part.check) for part in parts)
    return found if always else f"({site.variable('marked')} ? {found} : [])"
