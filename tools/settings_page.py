"""docs/settings.md, from the settings' own declarations."""

from tools.markdown import code, codes, document, table
from webhook.settings.catalogue import Catalogue, Leaf
from webhook.settings.environment import variable_name

INTRODUCTION = """
Settings come from one YAML file (`--config FILE`, or the variable `PERCARD_CONFIG`), are overridden by `PERCARD_…`
environment variables, and these by flags. Every command takes the same settings, so that a manifest is judged alike in
CI and in the cluster. `percard config` shows the settings in force and where each came from. Unknown names, wrong types
and contradictions are errors; durations and sizes carry their unit (`90s`, `7Mi`).

```yaml
foreign_scheduler: warn
dialects:
  volcengine:
    memory_step_mib: 128
checks:
  memory_step:
    severity: warning
serve:
  ops_port: 9090
```

The variable of a setting is its path in capitals, with `__` between the names: `serve.ops_port` is
`PERCARD_SERVE__OPS_PORT`. A list is written with commas. Variables of the shape that Kubernetes sets for a Service
called `percard` are ignored.

A server reads the file again when it changes, and judges the next review by it; a mistake in it keeps the settings before, is
logged and counted. Two sections are read at start alone: `serve` and `log` need a restart.
"""

SECTIONS = {"serve": "The server", "log": "The log"}
# What the server's sockets and log were made with cannot be exchanged under them.
AT_START = "Read at start: a change needs a restart."


def settings() -> str:
    """Return docs/settings.md."""
    leaves = list(Catalogue.collected().leaves.values())
    parts = [_section("What is judged, and how", [leaf for leaf in leaves if len(leaf.path) == 1])]
    parts += [_section(title, [leaf for leaf in leaves if leaf.path[0] == name], AT_START) for name, title in SECTIONS.items()]
    parts += [_dialects([leaf for leaf in leaves if leaf.path[0] == "dialects"])]
    parts += [_checks([leaf for leaf in leaves if leaf.path[0] == "checks"])]
    return document("Settings", INTRODUCTION, *parts)


def _section(title: str, leaves: list[Leaf], *opening: str) -> str:
    rows = [(code(".".join(leaf.path)), default_of(leaf), leaf.kind.wanted, leaf.about) for leaf in leaves]
    shown = table(("setting", "default", "must be", "meaning"), rows)
    return "\n\n".join((f"## {title}", *opening, shown, f"For example `{variable_name(leaves[0].path)}`."))


def default_of(leaf: Leaf) -> str:
    """Return what holds where nothing is set, as it would be written in a file."""
    if leaf.default is None:
        return "not set"
    shown = leaf.kind.show(leaf.default)
    if isinstance(shown, bool):
        return code(str(shown).lower())
    if isinstance(shown, list):
        return codes(shown) or "none"
    return code(shown)


def _dialects(leaves: list[Leaf]) -> str:
    dialects = list(dict.fromkeys(leaf.path[1] for leaf in leaves))
    defaults = {leaf.path[1:]: default_of(leaf) for leaf in leaves}
    declared = {leaf.path[2]: leaf for leaf in leaves}
    kinds = [(code(name), leaf.kind.wanted, leaf.about) for name, leaf in declared.items()]
    figures = [(code(name), *(defaults.get((dialect, name), "–") for dialect in dialects)) for name in declared]
    head = ("dialects.<id>.…", "must be", "meaning")
    parts = (
        "## Dialects",
        "Sizes are MiB on each card.",
        table(head, kinds),
        "The defaults are the vendors' figures; – is no setting there:",
    )
    return "\n\n".join([*parts, table(("default of", *dialects), figures)])


def _checks(leaves: list[Leaf]) -> str:
    rows = [(code(".".join(leaf.path)), default_of(leaf), leaf.kind.wanted) for leaf in leaves]
    return f"## Checks\n\n{leaves[0].about} The rules are in [checks.md](checks.md).\n\n{table(('setting', 'default', 'must be'), rows)}"
