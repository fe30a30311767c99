"""Reads all sources into one `Settings`: file, then environment, then flags, the later one wins."""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path as FilePath
from typing import Any

from webhook.settings.catalogue import Catalogue, Leaf, key_of
from webhook.settings.consistency import contradictions
from webhook.settings.entries import Entry, Path, dotted, flag_entries
from webhook.settings.environment import CONFIG_VARIABLE, environment_entries, variable_name
from webhook.settings.kinds import UnusableValueError
from webhook.settings.problems import Problem, SettingsError
from webhook.settings.values import CheckSettings, DialectSettings, Settings


@dataclass(frozen=True, slots=True)
class Sources:
    """Where settings come from; keep one to read them again.

    `config` is the value of `--config`; `flags` are by dotted path (`{"serve.port": 8443}`), None for
    one that was not used.
    """

    config: FilePath | None = None
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    flags: Mapping[str, Any] = field(default_factory=dict)

    @property
    def file(self) -> FilePath | None:
        """The settings file in force, None where there is none."""
        named = self.config or self.environ.get(CONFIG_VARIABLE)
        return FilePath(named) if named else None


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings, and for each that was written somewhere the place that won."""

    settings: Settings
    origins: Mapping[Path, str]


def load_settings(
    config: FilePath | None = None, environ: Mapping[str, str] | None = None, flags: Mapping[str, Any] | None = None
) -> Settings:
    """Return the settings in force; `environ` is the process's where it is None.

    Raises `SettingsError` with every mistake of every source.
    """
    sources = Sources(config, os.environ if environ is None else environ, flags or {})
    return load(sources).settings


def load(sources: Sources) -> Loaded:
    """Return the settings with their origins; raises `SettingsError` with every mistake of every source."""
    entries, problems = _written(sources)
    if not entries and not problems:
        return Loaded(Settings(), {})
    catalogue = Catalogue.collected()
    values, origins = _values(entries, catalogue, problems)
    settings = _built(values, catalogue)
    problems += _contradictions(settings, catalogue, origins, {problem.path for problem in problems})
    if problems:
        raise SettingsError(problems)
    return Loaded(settings, origins)


def _written(sources: Sources) -> tuple[list[Entry], list[Problem]]:
    entries: list[Entry] = []
    problems: list[Problem] = []
    if sources.file is not None:
        from webhook.settings.document import read_document  # noqa: PLC0415 - yaml costs 25 ms, most runs have no settings file

        entries, problems = read_document(sources.file)
    return [*entries, *environment_entries(sources.environ), *flag_entries(sources.flags)], problems


def _values(entries: Iterable[Entry], catalogue: Catalogue, problems: list[Problem]) -> tuple[dict[Path, Any], dict[Path, str]]:
    values: dict[Path, Any] = {}
    origins: dict[Path, str] = {}
    for entry in entries:
        try:
            if entry.path in catalogue.sections:
                _read_section(entry)
                continue
            values[entry.path] = _read(entry, _leaf(entry, catalogue))
            origins[entry.path] = entry.origin
        except UnusableValueError as error:
            problems.append(Problem(dotted(entry.path), str(error), entry.origin))
    return values, origins


def _read_section(entry: Entry) -> None:
    if entry.value is not None:
        message = f"must be a mapping of settings; `percard config` lists those of '{dotted(entry.path)}'"
        raise UnusableValueError(message)


def _leaf(entry: Entry, catalogue: Catalogue) -> Leaf:
    leaf = catalogue.leaves.get(entry.path)
    if leaf is None:
        raise UnusableValueError(_unknown(entry, catalogue))
    return leaf


def _read(entry: Entry, leaf: Leaf) -> Any:
    value = leaf.kind.from_text(entry.value) if entry.is_text else entry.value
    return None if value is None and leaf.optional else leaf.kind.read(value)


def _unknown(entry: Entry, catalogue: Catalogue) -> str:
    parent = next((leaf for path, leaf in catalogue.leaves.items() if path == entry.path[: len(path)]), None)
    if parent is not None:
        return f"is no setting: '{dotted(parent.path)}' must be {parent.kind.wanted}"
    spelt = variable_name if entry.is_text else dotted
    known = {spelt(path): path for path in catalogue.leaves}
    near = _nearest(spelt(entry.path), known)
    return f"is no setting; {f'did you mean {near!r}?' if near else '`percard config` lists all'}"


def _nearest(name: str, known: Iterable[str]) -> str | None:
    same = [other for other in known if other.replace("__", "_") == name.replace("__", "_")]
    return next(iter(same or get_close_matches(name, known, n=1, cutoff=0.75)), None)


def _built(values: Mapping[Path, Any], catalogue: Catalogue) -> Settings:
    top = {path[0]: value for path, value in values.items() if len(path) == 1}
    plain = Settings()
    dialects = {dialect.id: _below(values, "dialects", key_of(dialect.id)) for dialect in catalogue.dialects}
    checks = {check.id: _below(values, "checks", key_of(check.id)) for check in catalogue.checks}
    return replace(
        plain,
        **top,
        serve=replace(plain.serve, **_below(values, "serve")),
        log=replace(plain.log, **_below(values, "log")),
        dialects={name: DialectSettings(**given) for name, given in dialects.items() if given},
        checks={name: CheckSettings(**given) for name, given in checks.items() if given},
    )


def _below(values: Mapping[Path, Any], *section: str) -> dict[str, Any]:
    return {path[-1]: value for path, value in values.items() if path[:-1] == section}


def _contradictions(settings: Settings, catalogue: Catalogue, origins: Mapping[Path, str], known: set[str]) -> Iterator[Problem]:
    for found in contradictions(settings, catalogue):
        if known.isdisjoint(map(dotted, found.paths)):
            origin = next((origins[path] for path in found.paths if path in origins), "")
            yield Problem(dotted(found.paths[0]), found.message, origin)
