"""The layers hold: what design rules say about imports is true of the code."""

import subprocess
import sys
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_the_import_contracts_of_pyproject_are_kept() -> None:
    program = Path(sys.executable).with_name("lint-imports")
    answer = subprocess.run([program, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr


@pytest.mark.parametrize("package", ["webhook.core", "webhook.dialects", "webhook.checks"])
def test_what_judges_a_pod_imports_the_standard_library_alone(package: str) -> None:
    graph = grimp.build_graph("webhook", include_external_packages=True, cache_dir=None)
    modules = {package, *graph.find_descendants(package)}
    imported = {name for module in modules for name in graph.find_modules_directly_imported_by(module)}
    outside = {name for name in imported if name.partition(".")[0] not in {"webhook", *sys.stdlib_module_names}}
    assert len(modules) > 1
    assert outside == set()
