"""Rules of the house that no linter knows: sizes of files and functions, names, openings."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("webhook", "certs", "tools", "tests", "bench", "manifests")
SOURCES = sorted(file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py"))
MOST_FILE_LINES = 200
MOST_FUNCTION_LINES = 40
_POSSESSIVE_GROUP = re.compile(r"\)(?:[*+?]|\{[0-9,]+\})\+")


def _functions(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(ROOT)))
def test_a_source_file_is_short_opens_with_a_sentence_and_has_short_functions(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    tree = ast.parse(text)
    opening = (ast.get_docstring(tree) or "").partition("\n")[0]
    assert opening.endswith((".", "?")), f"opens with {opening!r}"
    assert len(text.splitlines()) <= MOST_FILE_LINES
    assert [found for found in _functions(tree) if found[1] > MOST_FUNCTION_LINES] == []


def test_no_file_is_named_after_nothing() -> None:
    assert [file for file in SOURCES if file.stem in {"utils", "util", "helpers", "common", "misc"}] == []


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(ROOT)))
def test_no_group_of_a_pattern_is_repeated_possessively(file: Path) -> None:
    # Python before 3.11.5 goes wrong there (python/cpython#106052); an atomic group says the same.
    texts = [node.value for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if isinstance(node, ast.Constant)]
    assert [text for text in texts if isinstance(text, str) and _POSSESSIVE_GROUP.search(text)] == []


def test_a_plug_in_is_called_like_its_file() -> None:
    from webhook.settings.catalogue import Catalogue, key_of  # noqa: PLC0415 – a broken plug-in fails this test, not the whole file

    catalogue = Catalogue.collected()
    ids = [dialect.id for dialect in catalogue.dialects] + [check.id for check in catalogue.checks]
    files = [file.stem for folder in ("dialects", "checks") for file in sorted((ROOT / "webhook" / folder).glob("[!_]*.py"))]
    assert [key_of(plugin) for plugin in ids] == files
