"""The variables of a policy: the pod, its containers, and what each of them asks for."""

from collections.abc import Iterator

from webhook.core.plugin import Dialect
from webhook.core.quantity import MAX_VALUE
from webhook.policies import cel, fitness, keys
from webhook.policies.model import Site

# For a share `s`: it takes its cards whole.
WHOLE = "s.cards > 0 && s.core == s.cards * 100"
# Amounts are counted up to here, so that no product or sum of them exceeds 64 bits; no card comes near.
MOST_AMOUNT = 1 << 40
# A list of counts that is longer fits no pod; taking it apart would exceed what an expression may cost.
MOST_LIST_CHARACTERS = 4096
# Cards that compute takes whole are counted up to here, for the same reason; no setting allows as many.
MOST_CARDS = 1 << 20
# What one unit of memory, and its product with the step, may be at most for the same reason: settings allow more.
MOST_UNIT_MIB, MOST_UNIT_TIMES_STEP = 1 << 14, 1 << 42
# Looking up each container among all of them costs the square of their number.
MOST_CONTAINERS = 256
Variables = Iterator[tuple[str, str]]


def shared(site: Site) -> Variables:
    """Yield name and expression of the variables that are the same for every dialect, in the order in which they need each other."""
    pod, spec, containers = site.variable("pod"), site.variable("spec"), site.variable("containers")
    yield site.name("pod"), _pod(site)
    for place in ("labels", "annotations"):
        yield site.name(place), cel.mapping_at(pod, "metadata", place)
    yield site.name("spec"), cel.mapping_at(pod, "spec")
    yield site.name("containers"), cel.list_at(spec, "containers")
    yield site.name("init_containers"), cel.list_at(spec, "initContainers")
    all_containers = f"({containers} + {site.variable('init_containers')})"
    yield site.name("holding"), f"{all_containers}\n.filter(c, {keys.limits('c')}.size() > 0)\n.map(c, {_holder()})"
    yield site.name("names"), f"{containers}.map(c, {name_of('c')})"
    for dialect in site.dialects:
        one = site.of(dialect)
        yield one.name("marked"), keys.is_marked(one)


def own(site: Site) -> Variables:
    """Yield name and expression of the variables of one dialect: what each container asks for."""
    for name, expression in _own(site):
        yield site.name(name), expression


def _own(site: Site) -> Variables:
    asking = site.variable("asking")
    yield "asking", f"{site.variable('containers')}.filter(c, {keys.asks(site.dialect, 'c')})"
    yield "askers", f"{asking}.map(c, {name_of('c')})"
    yield "counted", f"{cel.text(site.dialect.count_key)} in {site.count_field}"
    yield from _counts(site)
    yield "shares", f"{asking}\n.map(c, {_amounts(site)})\n.map(a, {_share(site)})"
    yield "fit", fitness.is_fit(site)


def _pod(site: Site) -> str:
    root = "dyn(oldObject)" if site.old else "dyn(object)"
    return root if site.subject == "pods" else template(root)


def template(root: str) -> str:
    """Return an expression for the pod template of any built-in kind, an empty one where there is none."""
    paths = (("template",), ("spec", "jobTemplate", "spec", "template"), ("spec", "template"))
    first, second, third = (cel.field(root, *path) for path in paths)
    return f"{first}.or({second}).or({third}).orValue({{}})"


def name_of(container: str) -> str:
    """Return an expression for a container's name; before the API server has validated a pod it may be missing."""
    return f"string({container}.?name.orValue(''))"


def _holder() -> str:
    return _map({"label": f'"container \'" + {name_of("c")} + "\': "', "limits": "c.resources.limits"})


def _counts(site: Site) -> Variables:
    dialect, counted = site.dialect, site.variable("counted")
    written = f"string({site.count_field}[{cel.text(dialect.count_key)}])"
    if not dialect.count_is_list:
        yield "cards", f"!{counted} ? 1 : {is_count(written, dialect.max_cards)} ? int({written}) : 0"
        return
    entry = f"e == '0' ? 0 : {is_count('e', dialect.max_cards)} ? int(e) : -1"
    yield "entries", f"{counted} && {written}.size() <= {MOST_LIST_CHARACTERS} ? {written}.split(',').map(e, {entry}) : []"
    yield "given", f"{site.variable('entries')}.filter(e, e != 0)"


def is_count(written: str, most: int) -> str:
    """Return a condition: does a text spell a card count?"""
    return f"{written}.matches('^[1-9][0-9]{{0,{len(str(most)) - 1}}}$') && int({written}) <= {most}"


def _amounts(site: Site) -> str:
    """Return a mapping: a role's amount is -1 where absent, 0 where it is no whole positive number."""
    fields = {"label": f'"container \'" + {name_of("c")} + "\': "', "name": name_of("c")}
    for role, key in site.dialect.resources.items():
        literal = cel.text(key)
        fields[f"{role}_text"] = f"string(c.resources.limits[?{literal}].orValue(''))"
        fields[role] = f"!({literal} in c.resources.limits) ? -1 : {_number(f'string(c.resources.limits[{literal}])')}"
    return _map(fields)


def _number(written: str) -> str:
    """Return a number for a quantity: the largest one for all beyond 64 bits, 0 for one that is not whole and positive."""
    number = f"quantity({written})"
    huge = f"{number}.isGreaterThan(quantity('{MAX_VALUE - 1}'))"
    whole = f"{number}.isInteger() && {number}.asInteger() > 0 ? {number}.asInteger() : 0"
    return f"!isQuantity({written}) ? 0 : {huge} ? {MAX_VALUE} : {whole}"


def _share(site: Site) -> str:
    dialect = site.dialect
    roles = [field for role in dialect.resources for field in (role, f"{role}_text")]
    fields = {field: f"a.{field}" for field in ("label", "name", *roles)}
    fields["cards"] = _cards(site)
    if dialect.count_is_list:
        most = 100 * MOST_CARDS
        fields["core"] = f"!{site.variable('counted')} && a.core > {most} && a.core % 100 == 0 ? {most} : int(a.core)"
    fields["mib"] = f"(a.memory < 0 ? 0 : a.memory > {MOST_AMOUNT} ? {MOST_AMOUNT} : int(a.memory)) * {dialect.memory_unit_mib}"
    return _map(fields)


def _cards(site: Site) -> str:
    if not site.dialect.count_is_list:
        return site.variable("cards")
    entries, given = site.variable("entries"), site.variable("given")
    entry = f"{entries}[{site.variable('names')}.indexOf(a.name)]"
    in_order = f"{given}.size() == {site.variable('asking')}.size() && !(-1 in {given})"
    guessed = f"{in_order} ? {given}[{site.variable('askers')}.indexOf(a.name)] : 0"
    listed = f"{entries}.size() == {site.variable('names')}.size() ? ({entry} > 0 ? {entry} : 0) : ({guessed})"
    return f"{site.variable('counted')} ? ({listed}) : (a.core > 0 && a.core % 100 == 0 ? [int(a.core) / 100, {MOST_CARDS}].min() : 1)"


def _map(fields: dict[str, str]) -> str:
    """Return a mapping whose values differ in type, which CEL takes only where it is told so."""
    return "{\n" + ",\n".join(f"  {cel.text(key)}: dyn({value})" for key, value in fields.items()) + "\n}"


def is_in_bytes(dialect: Dialect, role: str) -> str:
    """Return a condition on a share `s`: is an amount over the maximum and written with a suffix, so meant in bytes?"""
    cards = f"(s.cards > 0 ? int(s.cards) : {dialect.max_cards})"
    most, unit = (dialect.memory_max_mib, dialect.memory_unit_mib) if role == "memory" else (100, 1)
    over = f"s.{role} > {cards} * {most}" + (f" / {unit}" if unit > 1 else "")
    return f"({over} && s.{role}_text.matches('[A-Za-z]'))"
