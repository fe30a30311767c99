"""Verifies settings that a program built itself, as loading verifies what is written."""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from webhook.settings.catalogue import Catalogue, key_of
from webhook.settings.consistency import contradictions
from webhook.settings.entries import Path, dotted
from webhook.settings.kinds import Kind, UnusableValueError
from webhook.settings.problems import Problem, SettingsError
from webhook.settings.values import Settings


def verify(settings: Settings, catalogue: Catalogue) -> None:
    """Raise `SettingsError` with every unknown id and value out of range, or else with every contradiction."""
    problems = list(_values(settings, catalogue)) or list(_relations(settings, catalogue))
    if problems:
        raise SettingsError(problems)


def _values(settings: Settings, catalogue: Catalogue) -> Iterator[Problem]:
    for path, value in _given(settings):
        leaf = catalogue.leaves.get(path)
        if leaf is None:
            if value is not None or path[:-1] not in catalogue.sections:
                yield Problem(dotted(path), "is no setting: there is no such dialect or check")
        elif value is not None:
            yield from _of_value(path, value, leaf.kind)


def _relations(settings: Settings, catalogue: Catalogue) -> Iterator[Problem]:
    for found in contradictions(settings, catalogue):
        yield Problem(dotted(found.paths[0]), found.message)


def _of_value(path: Path, value: Any, kind: Kind) -> Iterator[Problem]:
    try:
        kind.read(kind.show(value))
    except UnusableValueError as error:
        yield Problem(dotted(path), str(error))


def _given(settings: Settings) -> Iterator[tuple[Path, Any]]:
    sections: list[tuple[Path, Any]] = [((), settings), (("serve",), settings.serve), (("log",), settings.log)]
    sections += [(("dialects", key_of(name)), given) for name, given in settings.dialects.items()]
    sections += [(("checks", key_of(name)), given) for name, given in settings.checks.items()]
    for section, given in sections:
        for field in fields(given):
            if "kind" in field.metadata:
                yield (*section, field.name), getattr(given, field.name)
