"""What the packages import is what the distribution asks for: nothing missing, nothing idle."""

import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[2]
# Loaded by name: uvicorn takes both when they are there, and the server is measured with them.
LOADED_BY_NAME = {"httptools", "uvloop"}


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _declared() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {_canonical(re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0]) for requirement in project["dependencies"]}


def _imported() -> set[str]:
    graph = grimp.build_graph("webhook", "certs", include_external_packages=True, cache_dir=None)
    outside = {module for module in graph.modules if module.partition(".")[0] not in {"webhook", "certs", *sys.stdlib_module_names}}
    homes = packages_distributions()
    return {_canonical(homes[module][0]) for module in outside}


def test_every_library_that_is_imported_is_declared() -> None:
    assert _imported() - _declared() == set()


def test_every_library_that_is_declared_is_used() -> None:
    assert _declared() - _imported() - LOADED_BY_NAME == set()
