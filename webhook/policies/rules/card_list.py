"""`card-list`: the list of counts has one entry for each container, 1 or more for those that ask, 0 for the others."""

from collections.abc import Iterator

from webhook.policies import cel
from webhook.policies.messages import container
from webhook.policies.model import Rule, Site


def _complaints(site: Site) -> Iterator[str]:
    if site.dialect.count_is_list:
        written = f"string({site.count_field}[{cel.text(site.dialect.count_key)}])"
        yield from _of_list(site, written)
        yield from _of_containers(site, written)


def _is_counted(site: Site) -> str:
    return f"{site.variable('counted')} && {site.variable('marked')}"


def _of_list(site: Site, written: str) -> Iterator[str]:
    entries, names = site.variable("entries"), site.variable("names")
    # A list that is too long was not taken apart.
    blanks = f"{entries}.size() > 0 && {written}.split(',').exists(e, e == '' || e != e.trim())"
    rule = cel.text(" has blanks or empty entries; must be one count per container, joined by commas only")
    yield cel.only_if(f"{_is_counted(site)} && {blanks}", cel.said(cel.quoted(written), rule))
    sizes = (f"string({entries}.size())", cel.text(" entries for "), f"string({names}.size())")
    rule = cel.text(" containers; must have one entry per container, in their order")
    length = cel.said(cel.quoted(written), cel.text(" has "), *sizes, rule)
    yield cel.only_if(f"{_is_counted(site)} && {entries}.size() != {names}.size()", length)


def _of_containers(site: Site, written: str) -> Iterator[str]:
    entries, names, askers = site.variable("entries"), site.variable("names"), site.variable("askers")
    matched = f"({_is_counted(site)} && {entries}.size() == {names}.size() ? {names} : [])"
    entry = f"{entries}[{names}.indexOf(n)]"
    head = (container("n"), cel.text("its entry in the list "), cel.quoted(written), cel.text(" is "), f"string({entry})")
    asks = cel.said(*head, cel.text(", but the container asks for a share; must be 1 or more"))
    yield f"{matched}.filter(n, {entry} == 0 && n in {askers})\n.map(n, {asks})"
    idles = cel.said(*head, cel.text(", but the container asks for nothing; must be 0"))
    yield f"{matched}.filter(n, {entry} > 0 && !(n in {askers}))\n.map(n, {idles})"


RULE = Rule(
    check="card-list",
    complaints=_complaints,
    reason="a list of another length is refused, and the counts in it are taken in order: the annotation of an earlier pass is not read",
)
