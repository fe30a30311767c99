"""The page of surviving mutants speaks of code that is there; what it leaves out, `make mutation` finds."""

import ast
from collections import Counter
from pathlib import Path

import pytest

from tools.mutation import REVIEWED, reviewed_changes, score

ROOT = Path(__file__).resolve().parents[2]
CHANGES = sorted(reviewed_changes(REVIEWED.read_text(encoding="utf-8")))


def _functions(file: Path) -> set[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    methods = {f"{owner.name}.{part.name}" for owner in classes for part in owner.body if isinstance(part, ast.FunctionDef)}
    return methods | {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("number", range(len(CHANGES)))
def test_a_surviving_mutant_changes_lines_that_stand_in_its_function(number: int) -> None:
    head, *lines = CHANGES[number].splitlines()
    _, file, function = head.split(" ")
    assert function in _functions(ROOT / file)
    present = {line.strip() for line in (ROOT / file).read_text(encoding="utf-8").splitlines()}
    assert [line for line in lines if line.startswith("- ") and line[2:] not in present] == []
    assert {line[:2] for line in lines} == {"- ", "+ "}


def test_the_score_is_of_what_was_tested() -> None:
    counts = Counter({"killed": 80, "timeout": 10, "survived": 6, "no tests": 4, "caught by type check": 500, "not checked": 50})
    assert score(counts) == 90.0
    assert score(Counter({"not checked": 5})) == 0.0


def test_changes_are_read_from_the_diffs_of_the_page_alone() -> None:
    page = "Why.\n\n```diff\n@@ a.py f\n- one\n+ two\n@@ a.py g\n- x\n+ y\n```\n\nMore.\n\n```diff\n@@ b.py C.h\n+ z\n```\n"
    assert reviewed_changes(page) == {"@@ a.py f\n- one\n+ two", "@@ a.py g\n- x\n+ y", "@@ b.py C.h\n+ z"}
