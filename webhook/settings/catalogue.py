"""Every setting by its path: the fixed ones, and those of the dialects and checks that exist."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import webhook.checks
import webhook.dialects
from webhook.core.plugin import Check, Dialect, collect
from webhook.settings.entries import Path
from webhook.settings.kinds import Kind, Refused
from webhook.settings.values import CheckSettings, DialectSettings, LogSettings, ServeSettings, Settings

_SCHEDULER_CONFLICT = "scheduler-conflict"


@dataclass(frozen=True, slots=True)
class Leaf:
    """One setting: its kind, what it does, what holds where nothing is set, whether null says the same."""

    path: Path
    kind: Kind
    about: str
    default: Any
    optional: bool


@dataclass(frozen=True)
class Catalogue:
    """The dialects and checks that exist, as their files define them."""

    dialects: tuple[Dialect, ...]
    checks: tuple[Check, ...]

    @classmethod
    def collected(cls) -> "Catalogue":
        """Collect both folders; raises `PluginError` where a file is no plug-in."""
        return cls(tuple(collect(webhook.dialects, "DIALECT")), tuple(collect(webhook.checks, "CHECK")))

    @cached_property
    def leaves(self) -> dict[Path, Leaf]:
        """All settings by path, in the order in which they are shown."""
        return {leaf.path: leaf for leaf in self._all_leaves()}

    @cached_property
    def sections(self) -> frozenset[Path]:
        """The paths that hold settings rather than a value."""
        return frozenset(path[:length] for path in self.leaves for length in range(1, len(path)))

    def _all_leaves(self) -> Iterator[Leaf]:
        yield from _leaves_of(Settings(), ())
        yield from _leaves_of(ServeSettings(), ("serve",))
        yield from _leaves_of(LogSettings(), ("log",))
        for dialect in self.dialects:
            leaves = _leaves_of(DialectSettings(), ("dialects", key_of(dialect.id)), dialect)
            yield from (leaf for leaf in leaves if _concerns(dialect, leaf.path[-1]))
        for check in self.checks:
            yield from map(_severity, _leaves_of(CheckSettings(), ("checks", key_of(check.id)), check))


def _concerns(dialect: Dialect, name: str) -> bool:
    """Say whether a setting can change anything about a dialect."""
    if name == "card_model":
        return bool(dialect.card_models)
    return name not in ("device_class", "device_driver") or dialect.device_class is not None


def key_of(plugin_id: str) -> str:
    """Return how the id of a dialect or check is spelt in settings: `memory_step`."""
    return plugin_id.replace("-", "_")


def _leaves_of(settings: Any, path: Path, defaults: Any = None) -> Iterator[Leaf]:
    for field in fields(settings):
        if "kind" in field.metadata:
            default = getattr(settings if defaults is None else defaults, field.name)
            yield Leaf((*path, field.name), field.metadata["kind"], field.metadata["about"], default, field.default is None)


def _severity(leaf: Leaf) -> Leaf:
    if leaf.path[1] != key_of(_SCHEDULER_CONFLICT):
        return leaf
    return replace(leaf, kind=Refused("set 'foreign_scheduler' to deny, warn or override instead"))
