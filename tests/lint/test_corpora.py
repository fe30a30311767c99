"""What the checker is measured with is what the comparison says it is."""

from pathlib import Path

import pytest

from bench.check.corpora import Corpora, write
from tests.lint.rendering import ENGINE
from webhook.lint.report import Report
from webhook.lint.run import Checker
from webhook.lint.sources import find_sources

FILES, LARGE_BYTES = 40, 100_000


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Corpora:
    return write(tmp_path_factory.mktemp("corpora"), FILES, LARGE_BYTES)


def _check(path: Path) -> Report:
    return Checker(ENGINE).check(find_sources([str(path)]))


@pytest.mark.parametrize(
    ("kind", "skipped", "errors"),
    [("clean", 0, 0), ("with a finding", 0, FILES), ("without marks", FILES, 0)],
)
def test_each_file_is_of_its_kind(corpora: Corpora, kind: str, skipped: int, errors: int) -> None:
    report = _check(corpora.folders[kind])
    assert (report.files, report.skipped, report.errors, report.warnings, report.unreadable) == (FILES, skipped, errors, 0, [])


def test_a_document_has_some_thirty_lines(corpora: Corpora) -> None:
    for folder in corpora.folders.values():
        assert 28 <= (folder / "00000.yaml").read_text(encoding="utf-8").count("\n") <= 34


def test_the_large_file_is_one_of_many_documents(corpora: Corpora) -> None:
    report = _check(corpora.large)
    assert LARGE_BYTES <= corpora.large.stat().st_size < LARGE_BYTES * 1.02
    assert (report.files, report.errors, report.pods) == (1, 0, -(-report.documents // 10))


def test_templates_of_charts_are_passed_over_with_a_note_each(corpora: Corpora) -> None:
    report = _check(corpora.charts)
    assert (report.skipped, report.unreadable, len(report.notes)) == (report.files, [], FILES // 20)
