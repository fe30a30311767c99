"""Finds the programs of a control plane, and builds those that are missing from the tools module beside this file."""

import fcntl
import hashlib
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

TOOLS = Path(__file__).parent / "tools"
_PACKAGES = {
    "etcd": "go.etcd.io/etcd/server/v3",
    "kube-apiserver": "k8s.io/kubernetes/cmd/kube-apiserver",
    "kube-controller-manager": "k8s.io/kubernetes/cmd/kube-controller-manager",
    "kubectl": "k8s.io/kubernetes/cmd/kubectl",
}


class UnavailableError(Exception):
    """A program is neither there nor can it be built; the text says what would help."""


@dataclass(frozen=True, slots=True)
class Programs:
    """Where the four programs are."""

    etcd: Path
    apiserver: Path
    controller_manager: Path
    kubectl: Path


def find_programs() -> Programs:
    """Return the programs: from KUBEBUILDER_ASSETS, kubectl from the PATH too, else from the cache, built at need.

    The first build takes minutes. Raises `UnavailableError` where one is missing and Go is too.
    """
    return Programs(*map(_find, _PACKAGES))


def _find(name: str) -> Path:
    assets = os.environ.get("KUBEBUILDER_ASSETS")
    if assets and (Path(assets) / name).is_file():
        return Path(assets) / name
    installed = shutil.which(name) if name == "kubectl" else None
    return Path(installed) if installed else _built(name)


def _built(name: str) -> Path:
    program = _cache() / name
    with (_cache() / f".{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not program.exists():
            _build(name, program)
    return program


def _build(name: str, program: Path) -> None:
    if shutil.which("go") is None:
        message = f"{name} is not in KUBEBUILDER_ASSETS, and there is no Go to build it with"
        raise UnavailableError(message)
    unfinished = program.with_name(f".{name}.new")
    command = ["go", "build", "-trimpath", "-buildvcs=false", f"-ldflags={_link_flags()}", "-o", str(unfinished), _PACKAGES[name]]
    subprocess.run(command, cwd=TOOLS, check=True)
    unfinished.rename(program)


def _link_flags() -> str:
    """Return flags that tell the programs their version: kubectl refuses a server that has none."""
    version = next(line.split()[1] for line in _module_file().splitlines() if line.strip().startswith("k8s.io/kubernetes "))
    major, minor, _ = version.removeprefix("v").split(".", 2)
    values = {"gitVersion": version, "gitMajor": major, "gitMinor": minor}
    return " ".join(["-s", "-w", *(f"-X k8s.io/component-base/version.{key}={value}" for key, value in values.items())])


def _cache() -> Path:
    """Return the folder for programs of these module files."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = home / "percard" / f"control-plane-{hashlib.sha256(_module_file().encode()).hexdigest()[:12]}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _module_file() -> str:
    return (TOOLS / "go.mod").read_text(encoding="utf-8")
