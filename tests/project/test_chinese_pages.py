"""The Chinese pages keep up with the English ones: the same commands, every check, messages as percard writes them."""

import re
from pathlib import Path

import pytest

from tests.acceptance.reader import commands
from tests.project.pages import CHECKS, blocks, findings
from webhook import Check
from webhook.lint.fix import SAFE, UNSAFE

ROOT = Path(__file__).resolve().parents[2]
_SECTION = re.compile(r"^## ([a-z-]+)\n(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
_MESSAGE = re.compile(r"^```text\n(.*?)\n```$", re.DOTALL | re.MULTILINE)
SECTIONS = dict(_SECTION.findall((ROOT / "docs/zh/checks.md").read_text(encoding="utf-8")))


def test_both_readmes_hold_the_same_commands_in_the_same_order() -> None:
    english, chinese = ([(command.text, command.output) for command in commands(page)] for page in ("README.md", "docs/zh/README.md"))
    assert english
    assert chinese == english


def test_both_readmes_count_the_same_rules_and_name_the_same_keys_and_commands() -> None:
    english, chinese = ((ROOT / page).read_text(encoding="utf-8") for page in ("README.md", "docs/zh/README.md"))
    assert f" {len(CHECKS)} 条规则" in chinese
    code = re.compile(r"`([a-z][\w./ -]*)`")
    missing = set(code.findall(english.partition("<!-- begin help")[0])) - set(code.findall(chinese))
    assert missing == set()


def test_every_check_has_its_section_in_the_order_of_the_ids() -> None:
    assert list(SECTIONS) == sorted(str(check.id) for check in CHECKS)


def test_what_is_repaired_is_listed_as_it_is() -> None:
    head = (ROOT / "docs/zh/checks.md").read_text(encoding="utf-8").partition("\n## ")[0]
    by_default, _, by_force = head.partition("`percard fix` 会直接修复")[2].partition("`--unsafe`")
    assert re.findall(r"`([a-z-]+)`", by_default) == sorted(SAFE)
    assert re.findall(r"`([a-z-]+)`", by_force) == sorted(UNSAFE)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: str(check.id))
def test_a_section_says_how_severe_the_check_is_and_leads_to_its_english_page(check: Check) -> None:
    rule = SECTIONS[str(check.id)].strip().splitlines()[0]
    assert {"error": "错误", "warning": "警告"}[check.severity] in rule
    assert f"[英文说明](../checks.md#{check.id})" in rule


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: str(check.id))
def test_a_section_quotes_what_percard_says_of_the_wrong_manifest_on_the_check_s_page(check: Check) -> None:
    wrong = next(documents for label, documents in blocks(check) if label == "FAIL")
    said = {finding.text for finding in findings(check, wrong)}
    assert set(_MESSAGE.findall(SECTIONS[str(check.id)])) <= said
    assert len(_MESSAGE.findall(SECTIONS[str(check.id)])) == 1
