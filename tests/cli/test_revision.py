"""The revision is told from a stamp, or read from the files of a checkout as git itself would."""

import subprocess
from pathlib import Path

import pytest

from tests.acceptance.workcopy import clean_environment
from tests.cli.program import percard
from webhook.cli.revision import STAMP, checked_out, revision_text

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def _git(folder: Path, *arguments: str) -> str:
    """Run git without anybody's settings."""
    options = ("-c", "user.name=t", "-c", "user.email=t@example", "-c", "commit.gpgsign=false", "-c", "init.defaultBranch=main")
    command = ["git", *options, *arguments]
    environment = clean_environment(folder.parent)
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "checkout"
    folder.mkdir()
    _git(folder, "init", "--quiet")
    _git(folder, "commit", "--quiet", "--allow-empty", "--message", "one")
    return folder


def test_a_branch_is_followed(checkout: Path) -> None:
    first = _git(checkout, "rev-parse", "HEAD")
    assert checked_out(checkout) == first
    _git(checkout, "commit", "--quiet", "--allow-empty", "--message", "two")
    assert checked_out(checkout) == _git(checkout, "rev-parse", "HEAD") != first
    assert revision_text(checkout) == f"checkout of {checked_out(checkout)[:12]}"


def test_a_branch_that_is_packed_is_found(checkout: Path) -> None:
    _git(checkout, "branch", "mai")
    _git(checkout, "pack-refs", "--all")
    assert not (checkout / ".git/refs/heads/main").exists()
    assert checked_out(checkout) == _git(checkout, "rev-parse", "HEAD")


def test_a_commit_that_is_checked_out_by_itself_is_told(checkout: Path) -> None:
    _git(checkout, "checkout", "--quiet", "--detach")
    assert checked_out(checkout) == _git(checkout, "rev-parse", "HEAD")


def test_a_further_work_tree_has_its_own_commit(checkout: Path) -> None:
    _git(checkout, "worktree", "add", "--quiet", "-b", "other", "../tree")
    tree = checkout.parent / "tree"
    _git(tree, "commit", "--quiet", "--allow-empty", "--message", "two")
    assert checked_out(tree) == _git(tree, "rev-parse", "HEAD") != checked_out(checkout)


def test_a_stamp_comes_before_a_checkout(checkout: Path) -> None:
    (checkout / STAMP).parent.mkdir(parents=True)
    (checkout / STAMP).write_text(f"{COMMIT}\n")
    assert revision_text(checkout) == "revision 0123456789ab"


@pytest.mark.parametrize("text", ["", "main\n", "0" * 39, "\udcff"], ids=["empty", "a name", "too short", "no text"])
@pytest.mark.parametrize("file", [str(STAMP), ".git/HEAD", ".git"])
def test_what_is_no_commit_is_not_told(tmp_path: Path, file: str, text: str) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, errors="surrogateescape")
    assert revision_text(tmp_path) == "revision unknown"


def test_the_program_tells_version_and_revision_in_one_line() -> None:
    answer = percard("--version")
    head, _, rest = answer.stdout.partition(" (")
    assert (head, answer.stdout.count("\n"), rest[-2:]) == ("percard 0.1.0", 1, ")\n")
