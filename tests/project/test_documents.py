"""The generated documents: the tool notices what is out of date, and links lead somewhere."""

import re
from pathlib import Path

import pytest

from tools import docs

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "manifests").rglob("*.md")])
_LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(docs, "ROOT", tmp_path)
    monkeypatch.setattr(docs, "DOCUMENTS", {"page.md": lambda: "right\n"})
    return tmp_path


def test_check_fails_on_an_old_document_and_leaves_it_alone(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "page.md").write_text("old\n", encoding="utf-8")
    assert docs.main(["--check"]) == 1
    assert (tree / "page.md").read_text(encoding="utf-8") == "old\n"
    assert "-old\n+right\n" in capsys.readouterr().out


def test_check_passes_once_the_document_is_written(tree: Path) -> None:
    assert docs.main(["--check"]) == 1
    assert docs.main([]) == 0
    assert (tree / "page.md").read_text(encoding="utf-8") == "right\n"
    assert docs.main(["--check"]) == 0


def test_every_mark_of_a_help_text_in_readme_has_its_end() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    begun = re.findall(r"<!-- begin help: ([a-z ]+) -->", text)
    assert begun == re.findall(r"<!-- end help: ([a-z ]+) -->", text)
    assert begun == [block["command"] for block in docs.HELP.finditer(text)]


def _anchors(page: Path) -> set[str]:
    """Return the anchors that the usual renderers give the headings of a page."""
    headings = _HEADING.findall(_FENCE.sub("", page.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_within_the_project_leads_to_a_file_and_a_heading(page: Path) -> None:
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    broken = []
    for target, anchor in _LINK.findall(text):
        file = (page.parent / target).resolve() if target else page
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in _anchors(file)):
            broken.append(f"{target}#{anchor}")
    assert broken == []
