"""A percard server as a process of its own, with certificates that the test's authority signed."""

import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import trustme

from tests.e2e.processes import Process, free_ports


@dataclass(frozen=True, slots=True)
class Server:
    """A running `percard serve`."""

    url: str
    ops_url: str
    ca_file: Path
    process: Process

    def metrics(self) -> str:
        """Return the server's metrics in Prometheus' text format."""
        with urllib.request.urlopen(f"{self.ops_url}/metrics", timeout=10) as answer:  # noqa: S310 -- its own loopback URL
            text: bytes = answer.read()
        return text.decode()


@contextmanager
def percard_server(folder: Path, authority: trustme.CA, flags: Sequence[str | Path] = ()) -> Iterator[Server]:
    """Run percard with files and log in `folder`; ready when the block starts, ended after it."""
    folder.mkdir(parents=True, exist_ok=True)
    served = authority.issue_cert("127.0.0.1", "localhost")
    served.private_key_pem.write_to_path(folder / "tls.key")
    served.cert_chain_pems[0].write_to_path(folder / "tls.crt")
    authority.cert_pem.write_to_path(folder / "ca.crt")
    port, ops_port = free_ports(2)
    ops_url = f"http://127.0.0.1:{ops_port}"
    command: list[str | Path] = [Path(sys.executable).with_name("percard"), "serve", "--host", "127.0.0.1"]
    command += ["--port", str(port), "--ops-port", str(ops_port), "--cert", folder / "tls.crt", "--key", folder / "tls.key", *flags]
    with Process(command, folder / "percard.log") as process:
        process.wait_until(lambda: _is_ready(ops_url))
        yield Server(f"https://127.0.0.1:{port}", ops_url, folder / "ca.crt", process)


def _is_ready(ops_url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{ops_url}/readyz", timeout=5) as answer:  # noqa: S310 -- its own loopback URL
            return bool(answer.status == 200)
    except (OSError, urllib.error.URLError):
        return False
