"""Applies a site's settings to a dialect: what is set holds, what hangs on it follows."""

from dataclasses import asdict, replace
from typing import Any

from webhook.core.plugin import Dialect
from webhook.settings.values import DialectSettings

_IN_UNITS = ("memory_step_mib", "memory_min_mib", "memory_min_multi_mib")


def effective(dialect: Dialect, settings: DialectSettings | None) -> Dialect:
    """Return the dialect as the site wants it.

    Where the memory unit changes, step and minima change in proportion unless they are set too.
    """
    if settings is None:
        return dialect
    given = {name: value for name, value in asdict(settings).items() if value is not None}
    return replace(dialect, **{**_following(dialect, given), **given})


def _following(dialect: Dialect, given: dict[str, Any]) -> dict[str, int]:
    unit = given.get("memory_unit_mib", dialect.memory_unit_mib)
    figures = ((name, getattr(dialect, name)) for name in _IN_UNITS)
    return {name: max(1, figure * unit // dialect.memory_unit_mib) for name, figure in figures if figure is not None}
