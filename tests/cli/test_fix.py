"""`percard fix` on real files: written whole or not at all, shown as a diff, with the right exit code."""

import subprocess
from pathlib import Path

import pytest

from tests.cli.program import percard
from tests.lint.manifests import bad_pod, good_pod


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_is_repaired_in_its_encoding(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "a.yaml"
    file.write_bytes(f"# é\n{bad_pod()}".encode(encoding))
    file.chmod(0o640)
    answer = percard("fix", file)
    assert (answer.returncode, answer.stdout) == (0, "")
    assert file.read_bytes() == f"# é\n{bad_pod(chr(34) + '66' + chr(34))}".encode(encoding)
    assert (file.stat().st_mode & 0o777, [entry.name for entry in tmp_path.iterdir()]) == (0o640, ["a.yaml"])


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.yaml").write_text(bad_pod(), encoding="utf-8")
    (tmp_path / "a.yaml").symlink_to("real.yaml")
    percard("fix", "a.yaml", cwd=tmp_path)
    assert ((tmp_path / "a.yaml").is_symlink(), '"66"' in (tmp_path / "real.yaml").read_text(encoding="utf-8")) == (True, True)


@pytest.mark.parametrize("end", ["", "\n"], ids=["no line end", "a line end"])
def test_the_diff_can_be_applied(tmp_path: Path, end: str) -> None:
    before = bad_pod().rstrip("\n") + end
    (tmp_path / "a.yaml").write_text(before, encoding="utf-8")
    answer = percard("fix", "--diff", "a.yaml", cwd=tmp_path)
    assert (tmp_path / "a.yaml").read_text(encoding="utf-8") == before
    assert answer.returncode == 0
    subprocess.run(["git", "apply", "-"], input=answer.stdout.encode(), cwd=tmp_path, check=True)  # noqa: S607 - whichever git is there
    assert (tmp_path / "a.yaml").read_text(encoding="utf-8") == before.replace('"64"', '"66"')


def test_what_cannot_be_repaired_is_left_with_exit_code_1(tmp_path: Path) -> None:
    text = good_pod().replace("schedulerName: volcano", "schedulerName: other")
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
    assert (percard("fix", tmp_path).returncode, (tmp_path / "a.yaml").read_text(encoding="utf-8")) == (1, text)
    assert percard("fix", "--unsafe", tmp_path).returncode == 0


def test_standard_input_is_printed_repaired() -> None:
    answer = percard("fix", "-", stdin=bad_pod())
    assert (answer.returncode, answer.stdout) == (0, bad_pod('"66"'))


@pytest.mark.parametrize("data", [b"volcano.sh/gpu-num: [\n", b"\xff\xfe\x00"], ids=["broken", "no text"])
def test_what_cannot_be_read_stays(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.yaml").write_bytes(data)
    assert (percard("fix", tmp_path).returncode, (tmp_path / "a.yaml").read_bytes()) == (3, data)


def test_a_file_that_is_fine_is_not_touched(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(good_pod(), encoding="utf-8")
    before = file.stat()
    assert percard("fix", file).returncode == 0
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
