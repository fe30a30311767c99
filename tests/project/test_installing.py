"""The set-up shows how far it is: pip says nothing for a minute, and whoever waits cannot tell that from a hang."""

import base64
import hashlib
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tools.installing import Progress, Screen

ROOT = Path(__file__).resolve().parents[2]


def _digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")


def _wheel(folder: Path, name: str) -> str:
    """Write a wheel with one module, and return its line of a lock file."""
    info = f"{name}-1.0.dist-info"
    files = {
        f"{name}.py": "",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    digests = {path: _digest(text) for path, text in files.items()}
    files[f"{info}/RECORD"] = (
        "".join(f"{path},sha256={digest},{len(files[path])}\n" for path, digest in digests.items()) + f"{info}/RECORD,,\n"
    )
    wheel = folder / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return f"{name}==1.0 \\\n    --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"


def _install(folder: Path, lock: str) -> subprocess.CompletedProcess[str]:
    """Run the tool as the Makefile does, into a folder instead of this environment, from wheels instead of an index."""
    (folder / "lock").write_text(lock, encoding="utf-8")
    foreign = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(folder), "PIP_TARGET": str(folder / "site"), "PIP_CONFIG_FILE": os.devnull}
    command = [sys.executable, "-m", "tools.installing", str(folder / "lock")]
    return subprocess.run(command, cwd=ROOT, env=os.environ | foreign, capture_output=True, text=True, check=False)


def test_what_the_lock_names_is_installed_and_said_beforehand(tmp_path: Path) -> None:
    done = _install(tmp_path, _wheel(tmp_path, "first") + "# a comment\n" + _wheel(tmp_path, "second"))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Installing 2 packages of ")
    assert sorted(file.name for file in (tmp_path / "site").glob("*.py")) == ["first.py", "second.py"]


def test_a_package_with_another_hash_ends_it_with_what_pip_says(tmp_path: Path) -> None:
    lock = _wheel(tmp_path, "first")
    done = _install(tmp_path, lock[:-2] + ("0" if lock[-2] != "0" else "1") + "\n")
    assert done.returncode == 1
    assert "THESE PACKAGES DO NOT MATCH THE HASHES" in done.stderr
    assert not (tmp_path / "site").exists()


def test_the_progress_goes_from_fetching_to_installing() -> None:
    installed = [5, 5, 6, 7]
    progress = Progress(3, lambda: installed.pop(0))
    assert str(progress) == "fetching: 0 of 3 packages"
    progress.note(["Collecting first==1.0 (from -r lock (line 1))\n", "  Using cached first-1.0-py3-none-any.whl\n"])
    assert str(progress) == "fetching: 1 of 3 packages"
    progress.note(["Ignoring other: markers 'sys_platform == \"win32\"' don't match your environment\n", "Collecting second==1.0\n"])
    assert str(progress) == "fetching: 3 of 3 packages"
    progress.note(["Installing collected packages: first, second\n"])
    assert [str(progress) for _ in range(3)] == ["installing: 0 of 2 packages", "installing: 1 of 2 packages", "finishing"]


def test_the_log_of_a_pipeline_gets_a_line_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    now = [0.0]
    screen = Screen(is_terminal=False, clock=lambda: now[0])
    for second in range(25):
        now[0] = float(second)
        screen.show(f"at {second}")
    screen.wipe()
    assert capsys.readouterr().out == "  at 10\n  at 20\n"


def test_a_terminal_gets_one_line_that_is_wiped_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen(is_terminal=True)
    screen.show("at 1")
    screen.show("at 2")
    screen.wipe()
    assert capsys.readouterr().out == "\r\x1b[K  at 1\r\x1b[K  at 2\r\x1b[K"
