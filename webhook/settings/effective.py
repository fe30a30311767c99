"""Applies a site's settings to a dialect: what is set holds, what hangs on it follows."""

from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import Any

from webhook.core.plugin import Dialect
from webhook.settings.values import DialectSettings, Settings

_IN_UNITS = ("memory_step_mib", "memory_min_mib", "memory_min_multi_mib")


def effective(dialect: Dialect, settings: DialectSettings | None) -> Dialect:
    """Return the dialect as the site wants it.

    Where the memory unit changes, step and minima change in proportion unless they are set too.
    """
    if settings is None:
        return dialect
    given = {name: value for name, value in asdict(settings).items() if value is not None}
    return replace(dialect, **{**_following(dialect, given), **given})


def dialects_in_force(settings: Settings, dialects: Iterable[Dialect]) -> list[Dialect]:
    """Return all dialects as the site wants them; the target is enabled unless it is switched off.

    It comes last: in what users write it is looked for after the others.
    """
    found = []
    for dialect in sorted(dialects, key=lambda dialect: dialect.id == settings.target):
        given = settings.dialects.get(dialect.id)
        is_target = dialect.id == settings.target and (given is None or given.enabled is None)
        found.append(replace(effective(dialect, given), enabled=True) if is_target else effective(dialect, given))
    return found


def _following(dialect: Dialect, given: dict[str, Any]) -> dict[str, int]:
    unit = given.get("memory_unit_mib", dialect.memory_unit_mib)
    figures = ((name, getattr(dialect, name)) for name in _IN_UNITS)
    return {name: max(1, figure * unit // dialect.memory_unit_mib) for name, figure in figures if figure is not None}
