"""The pages of the checks: their manifests, and what percard finds in each under the settings that its page names.

A page labels a fenced YAML block by FAIL or PASS on the line before it. A block of two documents is an UPDATE from the first to the second.
A page whose check concerns only what a site has to switch on says so in its line `Settings:`.
"""

import re
from functools import cache
from typing import Any

import yaml

from webhook import Check, Engine, Finding, build_engine, load_settings
from webhook.settings.catalogue import Catalogue

CHECKS = Catalogue.collected().checks
_BLOCK = re.compile(r"\b(FAIL|PASS)\b[^\n]*\n+```yaml\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_SETTINGS = re.compile(r"^Settings: `([a-z_.]+): ([a-z]+)`$", re.MULTILINE)


def blocks(check: Check) -> list[tuple[str, list[Any]]]:
    """Return the manifests of a page, each with its label."""
    return [(label, list(yaml.safe_load_all(text))) for label, text in _BLOCK.findall(check.page)]


def findings(check: Check, documents: list[Any]) -> tuple[Finding, ...]:
    """Return what is found in a manifest of a page."""
    new, *older = reversed(documents)
    return _engine(tuple(_SETTINGS.findall(check.page))).examine(new, *older).findings


@cache
def _engine(settings: tuple[tuple[str, str], ...]) -> Engine:
    return build_engine(load_settings(None, {}, {name: yaml.safe_load(value) for name, value in settings}))
