"""The wheel that the project builds holds everything that the program needs, and nothing else."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    options = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    build = [sys.executable, "-m", "pip", "wheel", *options, "--wheel-dir", str(folder), str(ROOT)]
    answer = subprocess.run(build, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    return zipfile.ZipFile(next(folder.glob("percard-*.whl")))


def test_every_file_of_the_two_packages_is_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    source = (file for package in ("webhook", "certs") for file in (ROOT / package).rglob("*"))
    wanted = {file.relative_to(ROOT).as_posix() for file in source if file.is_file() and "__pycache__" not in file.parts}
    assert {name for name in wheel.namelist() if ".dist-info/" not in name} - {"webhook/cli/revision.txt"} == wanted


def test_both_packages_say_that_they_are_typed(wheel: zipfile.ZipFile) -> None:
    assert {"webhook/py.typed", "certs/py.typed"} <= set(wheel.namelist())


def test_the_wheel_installs_the_program_and_the_licence(wheel: zipfile.ZipFile) -> None:
    names = {name.partition(".dist-info/")[2]: name for name in wheel.namelist() if ".dist-info/" in name}
    assert "percard = webhook.cli:main" in wheel.read(names["entry_points.txt"]).decode()
    assert "Apache License" in wheel.read(names["licenses/LICENSE"]).decode()
