"""The lock files are complete, agree with each other and say nothing of where packages come from."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-build.lock")
_PIN = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)", re.MULTILINE)
_REQUIREMENT = re.compile(r"[A-Za-z0-9._-]+")


def _pins(name: str) -> dict[str, str]:
    return dict(_PIN.findall((ROOT / name).read_text(encoding="utf-8")))


def _canonical(requirement: str) -> str:
    name = _REQUIREMENT.match(requirement)
    assert name, requirement
    return re.sub(r"[-_.]+", "-", name[0]).lower()


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_names_no_host_and_no_folder(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert re.findall(r"\S*(?:://|@ |--index-url|--find-links|file:)\S*", text) == []


@pytest.mark.parametrize("name", LOCKS)
def test_every_package_of_a_lock_has_a_hash(name: str) -> None:
    blocks = re.split(r"\n(?=[A-Za-z0-9])", (ROOT / name).read_text(encoding="utf-8").strip())
    assert blocks
    assert [block.partition(" ")[0] for block in blocks if "--hash=sha256:" not in block] == []


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-build.lock"])
def test_the_smaller_locks_hold_versions_of_the_large_one(name: str) -> None:
    large = _pins("requirements-dev.lock")
    assert {package: large.get(package) for package in _pins(name)} == _pins(name)


def test_everything_that_pyproject_asks_for_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    dev = [requirement for requirement in project["dependency-groups"]["dev"] if isinstance(requirement, str)]
    runtime = project["project"]["dependencies"]
    assert {*map(_canonical, runtime)} <= _pins("requirements.lock").keys()
    assert {*map(_canonical, dev), *map(_canonical, runtime), "hatchling"} <= _pins("requirements-dev.lock").keys()
