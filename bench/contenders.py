"""The servers of the comparison: how each is started, on one core, and where it answers."""

import json
import os
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import trustme

from tests.e2e.processes import Process, free_ports

_ROOT = Path(__file__).resolve().parent.parent
# The peer writes this scheduler name, so percard has to: the same work for both. The API is off in the shipped manifests.
_SETTINGS = {"dialects": {"volcengine": {"scheduler_name": "volcano"}}, "serve": {"api": False}}


class MissingError(Exception):
    """Something that the comparison needs is not on this machine."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A running server and its URLs."""

    name: str
    process: Process
    mutate: str
    validate: str
    ca_file: Path

    def url(self, case: str) -> str:
        """Return where a case is asked: denials come from /validate."""
        return self.validate if case.startswith("denied") else self.mutate

    def cpu_seconds(self) -> float:
        """Return the processor time that the process and its children have taken so far."""
        return sum(map(_cpu_ticks, _family(self.process.pid))) / os.sysconf("SC_CLK_TCK")

    def rss_mib(self) -> float:
        """Return the resident memory of the process and its children, in MiB."""
        return self._memory_mib("VmRSS:")

    def peak_mib(self) -> float:
        """Return the most that it was so far, in MiB."""
        return self._memory_mib("VmHWM:")

    def _memory_mib(self, field: str) -> float:
        return sum(_memory_kib(pid, field) for pid in _family(self.process.pid)) / 1024


@dataclass(frozen=True, slots=True)
class Place:
    """Where a contender runs: its folder with certificates, and its core."""

    folder: Path
    core: int

    @classmethod
    def made(cls, folder: Path, core: int, authority: trustme.CA) -> "Place":
        """Return a place with fresh certificates in the folder."""
        served = authority.issue_cert("127.0.0.1", "localhost")
        served.private_key_pem.write_to_path(folder / "tls.key")
        for pem in served.cert_chain_pems:
            pem.write_to_path(folder / "tls.crt", append=True)
        authority.cert_pem.write_to_path(folder / "ca.crt")
        return cls(folder, core)

    def run(self, name: str, command: list[str | Path]) -> Process:
        """Start a program on the core."""
        return Process(["taskset", "-c", str(self.core), *command], self.folder / f"{name}.log")


@contextmanager
def percard(place: Place) -> Iterator[Contender]:
    """Run `percard serve` with its logs and metrics as shipped."""
    port, ops_port = free_ports(2)
    settings = place.folder / "percard.yaml"
    settings.write_text(json.dumps(_SETTINGS), encoding="utf-8")
    command: list[str | Path] = [Path(sys.executable).with_name("percard"), "serve", "--host", "127.0.0.1", "--port", str(port)]
    command += ["--ops-port", str(ops_port), "--config", settings, "--cert", place.folder / "tls.crt", "--key", place.folder / "tls.key"]
    with place.run("percard", command) as process:
        process.wait_until(lambda: _is_up(f"http://127.0.0.1:{ops_port}/readyz"))
        yield _contender("percard", process, port, place)


@contextmanager
def peer(place: Place) -> Iterator[Contender]:
    """Build and run the Go webhook of bench/peer; it denies where it mutates."""
    go = shutil.which("go")
    if go is None:
        message = "Go is needed to build the peer"
        raise MissingError(message)
    program = place.folder / "peer"
    subprocess.run([go, "build", "-buildvcs=false", "-o", str(program), "."], cwd=_ROOT / "bench" / "peer", check=True)
    with peer_program(program, place) as running:
        yield running


@contextmanager
def peer_program(program: Path, place: Place) -> Iterator[Contender]:
    """Run a peer that is built already."""
    (port,) = free_ports(1)
    with place.run("peer", [program, place.folder, str(port)]) as process:
        yield _settled("peer", process, port, place)


@contextmanager
def plain(place: Place) -> Iterator[Contender]:
    """Run the plain FastAPI route."""
    (port,) = free_ports(1)
    command: list[str | Path] = [sys.executable, "-m", "bench.plain", str(port), place.folder / "tls.crt", place.folder / "tls.key"]
    with place.run("plain", command) as process:
        yield _settled("plain", process, port, place)


def _settled(name: str, process: Process, port: int, place: Place) -> Contender:
    process.wait_until(_listens(port))
    return _contender(name, process, port, place)


def _contender(name: str, process: Process, port: int, place: Place) -> Contender:
    base = f"https://127.0.0.1:{port}"
    validate = f"{base}/validate" if name == "percard" else f"{base}/mutate"
    return Contender(name, process, f"{base}/mutate", validate, place.folder / "ca.crt")


def _is_up(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:  # noqa: S310 -- its own loopback URL
            return bool(answer.status == 200)
    except (OSError, urllib.error.URLError):
        return False


def _listens(port: int) -> Callable[[], bool]:
    marker = f"0100007F:{port:04X} 00000000:0000 0A"
    return lambda: marker in Path("/proc/net/tcp").read_text(encoding="ascii")


def _family(pid: int) -> Iterator[int]:
    yield pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in children.read_text(encoding="ascii").split():
            yield from _family(int(child))


def _cpu_ticks(pid: int) -> int:
    # The name in brackets may hold blanks; user and system time are the 12th and 13th field after it.
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def _memory_kib(pid: int, field: str) -> int:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith(field)), 0)
