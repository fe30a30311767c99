"""What `make` offers: every target that is promised, each with its line in `make help`."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROMISED = {"demo", "test", "run", "lint", "e2e", "bench", "soak", "faults", "mutation", "dist", "sbom", "lock", "docs", "golden", "help"}


def _make(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["make", "--no-print-directory", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S607 – the one on PATH


def test_make_alone_lists_every_target_with_what_it_does() -> None:
    answer = _make()
    listed = [line.split(maxsplit=2) for line in answer.stdout.splitlines()]
    assert answer.returncode == 0
    assert {line[1] for line in listed} >= PROMISED
    assert all(len(line) == 3 for line in listed)


def test_a_python_that_is_too_old_is_refused_in_words(tmp_path: Path) -> None:
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    old.chmod(0o755)
    answer = _make(f"PYTHON={old}", f"VENV={tmp_path / 'venv'}", "setup")
    assert answer.returncode != 0
    assert "percard needs Python 3.11 or newer" in answer.stderr
    assert not (tmp_path / "venv").exists()
