"""docs/checks.md and docs/dialects.md, from what the files in webhook/checks and webhook/dialects say of themselves."""

from collections.abc import Iterator

from tools.markdown import code, codes, document, table
from tools.settings_page import default_of
from webhook.core.plugin import Check, Dialect
from webhook.lint.fix import repair_of
from webhook.settings.catalogue import Catalogue, Leaf, key_of

CHECKS_INTRODUCTION = """
Every check runs on every pod that shares GPUs, and on every pod template; all findings are reported at once. An *error*
denies the object (or fails `percard check`), a *warning* is only told. `checks.<id>.severity` sets either, or `off`
([settings.md](settings.md)). `percard checks ID` prints the same page.
"""

DIALECTS_INTRODUCTION = """
A dialect is a vendor's spelling of one request: so much memory and so much compute over so many cards. A pod belongs to
a dialect if a container's limits or requests hold one of its resource keys, or a name that begins like them and is nobody's
([unknown-key](checks.md#unknown-key)); to KAI if it carries one of its annotations. `percard dialects ID` prints the same page.
The figures are defaults; a site may set them ([settings.md](settings.md)).
"""


def checks() -> str:
    """Return docs/checks.md."""
    known = sorted(Catalogue.collected().checks, key=lambda check: check.id)
    rows = [(f"[{code(check.id)}](#{check.id})", check.severity, check.summary) for check in known]
    return document("Checks", CHECKS_INTRODUCTION, table(("check", "severity", "rule"), rows), *map(_check, known))


def _check(check: Check) -> str:
    """Return a check's section: its heading is its id, so that `checks.md#memory-step` leads there."""
    severity = f"*Severity*: {check.severity} (setting `checks.{key_of(check.id)}.severity`)"
    return f"## {check.id}\n\n{check.page.strip()}\n\n{severity}. *Repair*: {repair_of(check.id)} ([fix.md](fix.md))."


def dialects() -> str:
    """Return docs/dialects.md."""
    catalogue = Catalogue.collected()
    rows = [(f"[{code(dialect.id)}](#{dialect.id})", dialect.title) for dialect in catalogue.dialects]
    sections = [_dialect(dialect, _settings_of(catalogue, dialect)) for dialect in catalogue.dialects]
    return document("Dialects", DIALECTS_INTRODUCTION, table(("dialect", "stack"), rows), *sections)


def _settings_of(catalogue: Catalogue, dialect: Dialect) -> list[Leaf]:
    section = ("dialects", key_of(dialect.id))
    return [leaf for leaf in catalogue.leaves.values() if leaf.path[:2] == section]


def _dialect(dialect: Dialect, settings: list[Leaf]) -> str:
    figures = [(code(leaf.path[-1]), default_of(leaf), leaf.about) for leaf in settings]
    parts = (
        f"## {dialect.id}",
        dialect.page.strip(),
        f"### Keys of {dialect.title}",
        table(("key", "where", "meaning"), _keys(dialect)),
        f"### Settings of {dialect.title}",
        f"Under `dialects.{key_of(dialect.id)}`; sizes are MiB on each card.",
        table(("setting", "default", "meaning"), figures),
    )
    return "\n\n".join(parts)


def _keys(dialect: Dialect) -> Iterator[tuple[str, str, str]]:
    place = "resources" if dialect.amount_place == "resources" else f"pod {dialect.amount_place}"
    for role, key in dialect.resources.items():
        yield code(key), place, _role(role)
    for key, home in dialect.pod_keys.items():
        if key not in dialect.resources.values():
            yield code(key), f"pod {home}", _meaning(dialect, key)
    for key, home in dialect.further_keys.items():
        yield code(key), f"pod {home}", "no part of the share; has no counterpart in other dialects"
    for key in dialect.reserved_keys:
        yield code(key), "pod", "reserved: only schedulers and node agents write it"
    for name in dialect.isolation_env:
        yield code(name), "environment", "switches the isolation off (`isolation-bypass`)"


def _role(role: str) -> str:
    """Return what stands under a key; a card model may be part of the role."""
    name, _, model = role.partition("@")
    meaning = {"core": "compute", "memory_percent": "memory as a percentage", "both": "memory and compute as a percentage"}.get(name, name)
    return f"{meaning}, {model}" if model else meaning


def _meaning(dialect: Dialect, key: str) -> str:
    if key == dialect.count_key:
        return "cards, one count per container" if dialect.count_is_list else "cards"
    values = dialect.placement_values if key == dialect.placement_key else dialect.compute_policies
    return f"one of {codes(values)}" if len(values) > 1 else f"only {codes(values)}"
