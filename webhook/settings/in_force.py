"""Lists the settings in force, each with its value and where that came from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from webhook.settings.catalogue import Catalogue, Leaf, key_of
from webhook.settings.effective import dialects_in_force
from webhook.settings.entries import Path, dotted
from webhook.settings.kinds import Refused
from webhook.settings.loading import Loaded, Sources, load
from webhook.settings.values import Settings

DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class InForce:
    """One setting: `value` is as a file would have it, `origin` is `default`, a file's line, a variable or a flag."""

    path: str
    value: Any
    origin: str


def settings_in_force(sources: Sources) -> list[InForce]:
    """Return every setting; raises `SettingsError` as loading does."""
    loaded = load(sources)
    catalogue = Catalogue.collected()
    values = dict(_effective_values(loaded.settings, catalogue))
    return [_in_force(leaf, values[leaf.path], loaded) for leaf in _settable(catalogue)]


def _settable(catalogue: Catalogue) -> list[Leaf]:
    return [leaf for leaf in catalogue.leaves.values() if not isinstance(leaf.kind, Refused)]


def _shown(leaf: Leaf, value: Any) -> Any:
    return None if value is None else leaf.kind.show(value)


def _in_force(leaf: Leaf, value: Any, loaded: Loaded) -> InForce:
    origin = loaded.origins.get(leaf.path)
    if origin is None:
        origin = DEFAULT if value == leaf.default else _followed(leaf.path, loaded.origins)
    return InForce(dotted(leaf.path), _shown(leaf, value), origin)


def _followed(path: Path, origins: Mapping[Path, str]) -> str:
    unit = ("target",) if path[-1] == "enabled" else (*path[:-1], "memory_unit_mib")
    return f"follows {dotted(unit)} ({origins[unit]})"


def _effective_values(settings: Settings, catalogue: Catalogue) -> Iterator[tuple[Path, Any]]:
    dialects = {key_of(dialect.id): dialect for dialect in dialects_in_force(settings, catalogue.dialects)}
    severities = {key_of(name): check.severity for name, check in settings.checks.items()}
    for path, leaf in catalogue.leaves.items():
        match path:
            case ("dialects", key, name):
                yield path, getattr(dialects[key], name)
            case ("checks", key, _):
                yield path, severities.get(key) or leaf.default
            case (name,):
                yield path, getattr(settings, name)
            case (section, name):
                yield path, getattr(getattr(settings, section), name)
