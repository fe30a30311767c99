"""A baseline leaves out what was there, wherever it has moved, and nothing else."""

import json
from pathlib import Path

import pytest

from tests.cli.program import percard
from tests.lint.manifests import bad_pod, good_pod


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.yaml").write_text(f"{bad_pod()}---\n{bad_pod()}", encoding="utf-8")
    (tmp_path / "baseline.json").write_text(percard("baseline", ".", cwd=tmp_path).stdout, encoding="utf-8")
    return tmp_path


def _check(folder: Path) -> tuple[int, dict[str, int], str]:
    answer = percard("check", "--baseline", "baseline.json", "-o", "json", ".", cwd=folder)
    return answer.returncode, json.loads(answer.stdout)["summary"], answer.stderr


def test_what_was_there_is_left_out(folder: Path) -> None:
    code, summary, told = _check(folder)
    assert (code, summary["errors"], summary["suppressed"], told) == (0, 0, 2, "")


def test_it_may_move(folder: Path) -> None:
    (folder / "a.yaml").write_text(f"# moved\n\n{bad_pod()}---\n{bad_pod()}", encoding="utf-8")
    assert _check(folder)[0] == 0


@pytest.mark.parametrize(
    "text",
    [
        f"{bad_pod()}---\n{bad_pod()}---\n{bad_pod()}",
        f"{bad_pod()}---\n{bad_pod(memory='65')}",
        f"{bad_pod()}---\n{bad_pod().replace('app', 'ap')}",
    ],
    ids=["one more of the same", "another wrong value", "another container"],
)
def test_what_is_new_counts(folder: Path, text: str) -> None:
    (folder / "a.yaml").write_text(text, encoding="utf-8")
    code, summary, _ = _check(folder)
    assert (code, summary["errors"]) == (1, 1)


def test_what_is_gone_is_told(folder: Path) -> None:
    (folder / "a.yaml").write_text(f"{bad_pod()}---\n{good_pod()}", encoding="utf-8")
    code, _, told = _check(folder)
    assert (code, told.startswith("percard: 1 of the baseline's findings")) == (0, True)


@pytest.mark.parametrize("text", ["", "[]", '{"version": 2, "findings": []}', '{"version": 1, "findings": [{}]}', "\ufeff", "[" * 100_000])
def test_another_file_is_refused(folder: Path, text: str) -> None:
    (folder / "baseline.json").write_text(text, encoding="utf-8")
    answer = percard("check", "--baseline", "baseline.json", ".", cwd=folder)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "the baseline baseline.json must be" in answer.stderr


def test_a_clean_folder_has_an_empty_baseline(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(good_pod(), encoding="utf-8")
    assert json.loads(percard("baseline", ".", cwd=tmp_path).stdout) == {"version": 1, "findings": []}
