"""Whole translations, file by file: what `percard convert` prints and tells (tests/translation/golden/README.md)."""

from pathlib import Path

import pytest

from tests.translation.goldens import GOLDEN, Golden, converted, goldens
from tests.translation.pods import engine
from webhook.core.plugin import Dialect

FILES = goldens(GOLDEN)
DIALECTS = {dialect.id: dialect for dialect in engine().dialects}


@pytest.mark.parametrize("golden", FILES, ids=lambda golden: str(golden.name))
def test_the_whole_output_is_the_expected_one(golden: Golden, *, rewrite_golden: bool) -> None:
    output = converted(engine(), golden)
    if rewrite_golden:
        golden.expected.write_text(output, encoding="utf-8")
    assert golden.expected.read_text(encoding="utf-8") == output


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=lambda dialect: str(dialect.id))
def test_every_dialect_has_its_folder_with_both_directions(dialect: Dialect) -> None:
    names = {golden.file.name.partition("-")[0] for golden in FILES if golden.dialect == dialect.id}
    assert names == ({"from"} if dialect.write else set()) | ({"to"} if dialect.pod_keys or dialect.resources else set())


def test_nothing_else_lies_in_the_folders() -> None:
    known = {GOLDEN / "README.md", *(golden.file for golden in FILES), *(golden.expected for golden in FILES)}
    assert {file for file in Path(GOLDEN).rglob("*") if file.is_file()} == known
    assert {golden.dialect for golden in FILES} == DIALECTS.keys()
