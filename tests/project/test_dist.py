"""What is built is the same byte by byte wherever and whenever it is built, and tells the revision that it was built from."""

import io
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.acceptance.workcopy import clean_environment, work_copy
from tools import dist

ROOT = Path(__file__).resolve().parents[2]
REVISION = "0123456789abcdef0123456789abcdef01234567"
STAMP = "webhook/cli/revision.txt"


def _copy(folder: Path) -> Path:
    """Return a copy of what the packages are made of, which is no checkout."""
    folder.mkdir()
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "CHANGELOG.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, folder / name)
    for name in ("webhook", "certs"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def _stamps(folder: Path) -> list[str]:
    """Return the stamp in the wheel and in the archive, empty where there is none."""
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        in_wheel = wheel.read(STAMP) if STAMP in wheel.namelist() else b""
    with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
        found = [archive.extractfile(member) or io.BytesIO() for member in archive if member.name.endswith(STAMP)]
        in_archive = b"".join(file.read() for file in found)
    return [in_wheel.decode().strip(), in_archive.decode().strip()]


@pytest.mark.parametrize("moment", ["", "1700000000"], ids=["without", "with SOURCE_DATE_EPOCH"])
def test_two_builds_are_the_same_whatever_the_folder_the_times_and_the_rights_of_the_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    if moment:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", moment)
    else:
        monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    first, second = _copy(tmp_path / "first"), _copy(tmp_path / "another folder")
    for file in second.rglob("*"):
        file.chmod(0o700 if file.is_dir() else 0o600)
        os.utime(file, (1, 1))
    sums = dist.built(first, tmp_path / "one")
    assert sums == dist.built(second, tmp_path / "two")
    assert sorted(name.rpartition(".")[2] for name in sums) == ["gz", "whl"]


def test_another_byte_makes_another_sum(tmp_path: Path) -> None:
    copy = _copy(tmp_path / "copy")
    before = dist.built(copy, tmp_path / "one")
    (copy / "webhook" / "wiring.py").write_text("# another\n")
    after = dist.built(copy, tmp_path / "two")
    assert all(before[name] != after[name] for name in before)


def test_make_dist_builds_again_from_the_archive_and_writes_the_sums(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert dist.main([str(tmp_path / "dist")]) == 0
    sums = (tmp_path / "dist" / dist.SUMS).read_text()
    assert sums in capsys.readouterr().out
    done = subprocess.run(["sha256sum", "--check", dist.SUMS], cwd=tmp_path / "dist", capture_output=True, check=False)  # noqa: S607 – the one on PATH
    assert done.returncode == 0


def test_make_dist_fails_where_the_two_differ(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(dist, "_built_again", lambda _: {"x.whl": "0"})
    assert dist.main([str(tmp_path / "dist")]) == 1
    assert "this differs: percard-" in capsys.readouterr().err


def test_a_checkout_stamps_its_commit_and_an_archive_of_it_keeps_that(tmp_path: Path) -> None:
    copy = work_copy(tmp_path)
    head = subprocess.run(
        ["git", "rev-parse", "HEAD"],  # noqa: S607 – the one on PATH
        cwd=copy,
        env=clean_environment(tmp_path),
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    dist.built(copy, tmp_path / "one")
    assert _stamps(tmp_path / "one") == [head, head]
    with tarfile.open(next((tmp_path / "one").glob("*.tar.gz"))) as archive:
        archive.extractall(tmp_path / "archive", filter="data")
    dist.built(next((tmp_path / "archive").iterdir()), tmp_path / "two")
    assert _stamps(tmp_path / "two") == [head, head]


@pytest.mark.parametrize("revision", ["", REVISION], ids=["nothing", "SOURCE_REVISION"])
def test_without_a_checkout_the_stamp_is_what_is_said_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, revision: str) -> None:
    monkeypatch.setenv("SOURCE_REVISION", revision)
    dist.built(_copy(tmp_path / "copy"), tmp_path / "one")
    assert _stamps(tmp_path / "one") == [revision, revision]


def test_a_wheel_tells_its_revision_without_git_and_without_a_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_REVISION", REVISION)
    dist.built(_copy(tmp_path / "copy"), tmp_path / "one")
    shutil.unpack_archive(next((tmp_path / "one").glob("*.whl")), tmp_path / "installed", "zip")
    command = [sys.executable, "-m", "webhook.cli", "--version"]
    environment = {"PYTHONPATH": str(tmp_path / "installed"), "PATH": ""}
    answer = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert answer.stdout == "percard 0.1.0 (revision 0123456789ab)\n"
