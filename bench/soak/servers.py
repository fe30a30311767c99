"""A `percard serve` that is ended and started again on the same ports."""

import os
import random
import socket
import ssl
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.soak.result import SoakError
from tests.e2e.processes import Process

# Below the range that the kernel takes ports of clients from: while a server is down, no connection may get its port.
_PORTS = range(15_000, 32_000)
_START_SECONDS = 120.0


def fixed_ports(count: int) -> list[int]:
    """Return free ports that stay free while nobody listens on them."""
    found: list[int] = []
    for port in random.sample(_PORTS, len(_PORTS)):
        with socket.socket() as trial:
            if len(found) < count and trial.connect_ex(("127.0.0.1", port)):
                found.append(port)
        if len(found) == count:
            return found
    message = f"no {count} free ports between {_PORTS.start} and {_PORTS.stop}"
    raise SoakError(message)


class SoakServer:
    """One server with its ports; every start writes on in the same log."""

    def __init__(self, log: Path, arguments: Sequence[str | Path], environment: Mapping[str, str]) -> None:
        """Take the log and how to start; nothing runs yet."""
        self.log = log
        self.port, self.ops_port = fixed_ports(2)
        ports = ["--host", "127.0.0.1", "--port", str(self.port), "--ops-port", str(self.ops_port)]
        self._command: list[str | Path] = [sys.executable, "-m", "webhook.cli", "serve", *ports, *arguments]
        plain = {name: value for name, value in os.environ.items() if not name.startswith("PERCARD_")}
        self._environment = {**plain, **environment}
        self._process: Process | None = None

    def start(self) -> None:
        """Start it and wait until it is ready."""
        self._process = Process(self._command, self.log, self._environment)
        self._process.wait_until(self.is_ready, _START_SECONDS)

    def stop(self) -> int:
        """Ask it to end with SIGTERM and return its exit code, 0 where it does not run."""
        process, self._process = self._process, None
        return process.stop() if process else 0

    def is_ready(self) -> bool:
        """Say whether it is ready."""
        try:
            return self.page("/readyz") != ""
        except (OSError, urllib.error.URLError):
            return False

    def page(self, path: str) -> str:
        """Return a page of the ops port."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.ops_port}{path}", timeout=10) as answer:
            text: bytes = answer.read()
        return text.decode()

    def metric(self, sample: str) -> float:
        """Return the value of one sample, spelt as it is shown; 0 where there is none."""
        lines = (line.rpartition(" ") for line in self.page("/metrics").splitlines())
        return next((float(value) for name, _, value in lines if name == sample), 0.0)

    def leaf(self) -> str:
        """Return the certificate that it shows to a new connection, empty while there is none."""
        try:
            return ssl.get_server_certificate(("127.0.0.1", self.port), timeout=10).strip()
        except OSError:
            return ""

    def rss_kib(self) -> int:
        """Return its resident memory, 0 while it does not run."""
        if self._process is None:
            return 0
        status = Path(f"/proc/{self._process.pid}/status").read_text(encoding="ascii", errors="replace")
        return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:")), 0)
