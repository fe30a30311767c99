"""The pages of the checks are true: their FAIL manifests are found by the check, their PASS manifests are not."""

import re
from typing import Any

import pytest

from tests.project.pages import CHECKS, blocks, findings
from webhook import Check


def _found(check: Check, documents: list[Any]) -> bool:
    return any(finding.check == check.id for finding in findings(check, documents))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: str(check.id))
def test_a_page_shows_both_sides_and_both_are_true(check: Check) -> None:
    assert {label for label, _ in blocks(check)} == {"FAIL", "PASS"}
    assert [label for label, documents in blocks(check) if _found(check, documents) != (label == "FAIL")] == []


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: str(check.id))
def test_a_page_opens_with_its_rule_and_names_fields_allowed_and_source(check: Check) -> None:
    assert re.fullmatch(r"[A-Z].*[.]", check.summary)
    assert [part for part in ("Fields", "Allowed", "Source") if f"\n{part}: " not in check.page] == []
