"""What a policy finds wrong with an object: the variables of its rules, and the list of all their messages."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from webhook.core.plugin import Check
from webhook.policies import cel
from webhook.policies.catalogue import is_of_creation, is_of_update
from webhook.policies.model import Complaints, Rule, Site
from webhook.policies.shares import MOST_CONTAINERS, Variables, variables

Level = Literal["error", "warning"]
Severities = Sequence[tuple[Check, Rule, str]]


@dataclass(frozen=True)
class Part:
    """The messages of one check, under the name of their variable."""

    check: Check
    name: str
    expression: str


def parts_of(site: Site, severities: Severities, level: Level) -> list[Part]:
    """Return what the site's rules of one level say."""
    return [part for check, rule, in_force in severities for part in _parts(site, check, rule, in_force, level)]


def _parts(site: Site, check: Check, rule: Rule, in_force: str, level: Level) -> Iterator[Part]:
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


def unpatched(site: Site, severities: Severities) -> str:
    """Return the messages on a new pod that is right in all else."""
    lists = [(check, found) for check, rule, _ in severities for found in _lists(rule.unpatched, site)]
    return cel.joined(with_id([found], check) for check, found in lists)


def together(parts: Sequence[Part]) -> str:
    """Return a concatenation of the parts' variables."""
    return cel.joined(f"variables.{part.name}" for part in parts)


def of_template(site: Site, severities: Severities, level: Level) -> Variables:
    """Yield the variables of a policy on workloads, `found` last: a changed template is judged as a new one."""
    parts = [part for part in parts_of(site, severities, level) if not is_of_update(part.check)]
    yield from variables(site)
    yield from ((part.name, part.expression) for part in parts)
    yield "found", _judgeable(site, together(parts))


def of_new_pod(site: Site, severities: Severities, level: Level) -> Variables:
    """Yield the variables of a policy on the creation of pods, `created` last."""
    parts = [part for part in parts_of(site, severities, level) if not is_of_update(part.check)]
    yield from variables(site)
    yield from ((part.name, part.expression) for part in parts)
    yield "created", together(parts)


def of_pod(site: Site, severities: Severities, level: Level) -> Variables:
    """Yield the variables of a policy on pods, `found` last: an update is told what was not wrong before."""
    yield from of_new_pod(site, severities, level)
    changed = [part for part in parts_of(site, severities, level) if not is_of_creation(part.check)]
    new = "variables.created"
    if level == "error" or any(is_of_update(part.check) for part in changed):
        kept = [part for part in parts_of(site.before(), severities, level) if not (is_of_creation(part.check) or is_of_update(part.check))]
        yield from variables(site.before())
        yield from ((part.name, part.expression) for part in (*kept, *(part for part in changed if is_of_update(part.check))))
        yield "kept", together(kept)
        yield "changed", f"({together(changed)})\n.filter(m, !(m in variables.kept))"
        yield "unpatched", unpatched(site, severities)
        new = "(variables.created.size() > 0 ? variables.created : variables.unpatched)"
    else:
        yield "changed", together(changed)
    yield "found", _judgeable(site, f"request.operation == 'CREATE' ? {new} : variables.changed")


def _judgeable(site: Site, found: str) -> str:
    """Return what was found, or that there is too much to look at: an expression that costs too much fails, which says less."""
    rule = cel.text(f"the pod has more than {MOST_CONTAINERS} containers, more than a policy can judge")
    return f"{site.variable('containers')}.size() > {MOST_CONTAINERS} ? [{rule}] : (\n{found}\n)"
