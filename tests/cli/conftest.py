"""A repository as a pipeline sees it."""

import shlex
import sys
from pathlib import Path

import pytest

from tests.cli.program import SCRIPTS
from tests.lint.manifests import PLAIN, good_pod

# What renders elsewhere: each prints what the test put there.
_RENDERER = '#!/bin/sh\ncat "$RENDERED"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a repository with a copy of the project in .percard, as the set-up leaves it, and the programs on the PATH."""
    programs = tmp_path / ".percard" / ".venv" / "bin"
    programs.mkdir(parents=True)
    program = f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m webhook.cli "$@"\n'
    texts = {**dict.fromkeys(SCRIPTS, program), "kustomize": _RENDERER, "flux": _RENDERER, "helm": _RENDERER}
    for name, text in texts.items():
        (programs / name).write_text(text, encoding="utf-8")
        (programs / name).chmod(0o755)
    for name in ("deploy/sub", "clusters", "vendor"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "deploy" / "a.yaml").write_text(good_pod(), encoding="utf-8")
    (tmp_path / "deploy" / "sub" / "b c.yaml").write_text(PLAIN, encoding="utf-8")
    return tmp_path
