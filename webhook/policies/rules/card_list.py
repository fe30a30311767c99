"""`card-list`: the list of counts has one entry for each container, 1 or more for those that ask, 0 for the others."""

from collections.abc import Iterator

from webhook.policies import cel
from webhook.policies.messages import container
from webhook.policies.model import Rule, Site


def _complaints(site: Site) -> Iterator[str]:
    if not site.dialect.count_is_list:
        return
    entries, names = site.variable("entries"), site.variable("names")
    counted = f"{site.variable('counted')} && {site.variable('marked')}"
    written = f"string({site.count_field}[{cel.text(site.dialect.count_key)}])"
    blanks = f"{written}.split(',').exists(e, e == '' || e != e.trim())"
    short = f"({entries}.size() > 0 && {blanks})"
    yield cel.only_if(
        f"{counted} && {short}",
        cel.said(cel.quoted(written), "' has blanks or empty entries; must be one count per container, joined by commas only'"),
    )
    length = cel.said(
        cel.quoted(written),
        "' has ' + string("
        + entries
        + ".size()) + ' entries for ' + string("
        + names
        + ".size()) + ' containers; must have one entry per container, in their order'",
    )
    yield cel.only_if(f"{counted} && {entries}.size() != {names}.size()", length)
    entry = f"{entries}[{names}.indexOf(n)]"
    same = f"{counted} && {entries}.size() == {names}.size()"
    asked = cel.said(container("n"), "'its entry in the list is 0, but the container asks for a share; must be 1 or more'")
    yield f"({same} ? {names} : []).filter(n, {entry} == 0 && n in {site.variable('askers')}).map(n, {asked})"
    idle = cel.said(
        container("n"), "'its entry in the list is ' + string(" + entry + ") + ', but the container asks for nothing; must be 0'"
    )
    yield f"({same} ? {names} : []).filter(n, {entry} > 0 && !(n in {site.variable('askers')})).map(n, {idle})"


RULE = Rule(
    check="card-list",
    complaints=_complaints,
    reason="a list of another length is refused, and the counts in it are taken in order: the annotation of an earlier pass is not read",
)
