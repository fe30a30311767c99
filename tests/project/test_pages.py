"""The pages of the checks are true: their FAIL manifests are found by the check, their PASS manifests are not.

A page labels a fenced YAML block by FAIL or PASS on the line before it. A block of two documents is an UPDATE from the first to the second.
A page whose check concerns only what a site has to switch on says so in its line `Settings:`.
"""

import re
from functools import cache
from typing import Any

import pytest
import yaml

from webhook import Check, Engine, build_engine, load_settings
from webhook.settings.catalogue import Catalogue

CHECKS = Catalogue.collected().checks
_BLOCK = re.compile(r"\b(FAIL|PASS)\b[^\n]*\n+```yaml\n(.*?)^```$", re.DOTALL | re.MULTILINE)


_SETTINGS = re.compile(r"^Settings: `([a-z_.]+): ([a-z]+)`$", re.MULTILINE)


@cache
def _engine(settings: tuple[tuple[str, str], ...]) -> Engine:
    return build_engine(load_settings(None, {}, {name: yaml.safe_load(value) for name, value in settings}))


def _blocks(check: Check) -> list[tuple[str, list[Any]]]:
    return [(label, list(yaml.safe_load_all(text))) for label, text in _BLOCK.findall(check.page)]


def _found(check: Check, documents: list[Any]) -> bool:
    new, *older = reversed(documents)
    verdict = _engine(tuple(_SETTINGS.findall(check.page))).examine(new, *older)
    return any(finding.check == check.id for finding in verdict.findings)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: str(check.id))
def test_a_page_shows_both_sides_and_both_are_true(check: Check) -> None:
    blocks = _blocks(check)
    assert {label for label, _ in blocks} == {"FAIL", "PASS"}
    assert [label for label, documents in blocks if _found(check, documents) != (label == "FAIL")] == []


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: str(check.id))
def test_a_page_opens_with_its_rule_and_names_fields_allowed_and_source(check: Check) -> None:
    assert re.fullmatch(r"[A-Z].*[.]", check.summary)
    assert [part for part in ("Fields", "Allowed", "Source") if f"\n{part}: " not in check.page] == []
