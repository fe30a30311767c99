"""Older API servers: from the cache, or built from the modules in tools/older where PERCARD_BUILD_OLDER is set."""

import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.e2e.programs import TOOLS

_PACKAGE = "k8s.io/kubernetes/cmd/kube-apiserver"


def apiserver(version: str) -> Path:
    """Return the API server of a version such as 1.32; skips the test where it is not there and shall not be built."""
    module = TOOLS / "older" / version
    text = (module / "go.mod").read_text(encoding="utf-8")
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    program = home / "percard" / f"older-{hashlib.sha256(text.encode()).hexdigest()[:12]}" / "kube-apiserver"
    if not program.exists():
        _build(module, text, program)
    return program


def _build(module: Path, text: str, program: Path) -> None:
    go = shutil.which("go")
    if go is None or not os.environ.get("PERCARD_BUILD_OLDER"):
        pytest.skip("no API server of this version: PERCARD_BUILD_OLDER=1 builds it with Go, which takes many minutes")
    program.parent.mkdir(parents=True, exist_ok=True)
    unfinished = program.with_name(".new")
    command = [go, "build", "-mod=mod", "-trimpath", "-buildvcs=false", f"-ldflags={_link_flags(text)}", "-o", str(unfinished), _PACKAGE]
    subprocess.run(command, cwd=module, check=True)
    unfinished.rename(program)


def _link_flags(text: str) -> str:
    """Return flags that tell the program its version."""
    found = re.search(r"k8s\.io/kubernetes (v(\d+)\.(\d+)\.\d+)", text)
    assert found is not None
    values = {"gitVersion": found[1], "gitMajor": found[2], "gitMinor": found[3]}
    return " ".join(["-s", "-w", *(f"-X k8s.io/component-base/version.{key}={value}" for key, value in values.items())])
