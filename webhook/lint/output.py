"""What an output format is; each file in `formats/` defines the one of its name as `FORMAT`."""

import importlib
import pkgutil
from collections.abc import Callable
from typing import NamedTuple

from webhook.core.plugin import Check, PluginError
from webhook.lint import formats
from webhook.lint.report import Report


class Context(NamedTuple):
    """What a format may use besides the report.

    `checks` are all that ran, `version` returns percard's (asking costs time), `color` allows ANSI colours.
    """

    version: Callable[[], str]
    checks: tuple[Check, ...] = ()
    color: bool = False


class Format(NamedTuple):
    """An output format: `render` returns the whole text, its last line ended; `shows_repairs` asks for repairs to show."""

    name: str
    summary: str
    render: Callable[[Report, Context], str]
    shows_repairs: bool = False


def format_names() -> list[str]:
    """Return the names of the formats, which are those of their files."""
    return sorted(info.name for info in pkgutil.iter_modules(formats.__path__))


def format_named(name: str) -> Format:
    """Import and return one format; raises `PluginError` where its file defines none."""
    found = getattr(importlib.import_module(f"{formats.__name__}.{name}"), "FORMAT", None)
    if not isinstance(found, Format):
        message = f"{formats.__name__}.{name} defines no FORMAT"
        raise PluginError(message)
    return found
