"""A real server in a process of its own, and clients that speak to it over TLS."""

import http.client
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

ROOT = Path(__file__).parents[2]
JSON = {"Content-Type": "application/json"}
HEAD = b"POST /mutate?timeout=10s HTTP/1.1\r\nHost: percard\r\nContent-Type: application/json\r\n"
# The largest body, in bytes, that a server takes by default.
CAP = 7 << 20
# A guard against hangs, far above what a slow machine needs.
PATIENCE_SECONDS = 60.0


def review_bytes(name: str) -> bytes:
    """Return a recorded AdmissionReview."""
    return (ROOT / "tests" / "reviews" / f"{name}.json").read_bytes()


def request_bytes(body: bytes, head: bytes = HEAD) -> bytes:
    """Return a request as it is on the wire."""
    return head + b"Content-Length: %d\r\n\r\n" % len(body) + body


class Server:
    """`percard serve` on free ports of the loopback address."""

    def __init__(self, folder: Path, *arguments: str, environ: Mapping[str, str] | None = None, root: Path = ROOT) -> None:
        """Start it from the project in `root`; its log goes to a file in `folder`."""
        self._log = folder / "server.log"
        command = [sys.executable, "-m", "webhook.cli", "serve", "--port", "0", "--ops-port", "0", *arguments]
        with self._log.open("wb") as log:
            plain = {name: value for name, value in os.environ.items() if not name.startswith("PERCARD_")}
            self.process = subprocess.Popen(command, cwd=root, stderr=log, stdout=log, env=plain | dict(environ or {}))
        self.ca: ssl.SSLContext | None = None

    def __enter__(self) -> Self:
        """Wait until its ports are known."""
        try:
            started = self.wait_for("started")
        except BaseException:
            self.process.kill()
            self.process.wait()
            raise
        self.port, self.ops_port = started["port"], started["ops_port"]
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """End it at once."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def lines(self, event: str | None = None) -> list[dict[str, Any]]:
        """Return what it has logged so far, or those lines of it; the last may still be half written."""
        texts = self._log.read_text().splitlines(keepends=True)
        lines = [json.loads(text) for text in texts if text.startswith("{") and text.endswith("\n")]
        return [line for line in lines if event is None or line["event"] == event]

    def log_text(self) -> str:
        """Return the log as it is."""
        return self._log.read_text()

    def wait_for(self, event: str, count: int = 1) -> dict[str, Any]:
        """Return the `count`-th line of this event."""
        over = time.monotonic() + PATIENCE_SECONDS
        while len(found := self.lines(event)) < count:
            if self.process.poll() is not None or time.monotonic() > over:
                message = f"no {event!r} in the log:\n{self.log_text()}"
                raise AssertionError(message)
            time.sleep(0.01)
        return found[count - 1]

    def trusted(self) -> ssl.SSLContext:
        """Return a client's context that trusts its self-signed authority."""
        if self.ca is None:
            self.wait_for("serving")
            self.ca = ssl.create_default_context(cadata=self.ops("/ca.pem")[1].decode())
        return self.ca

    def connect(self, context: ssl.SSLContext | None = None) -> http.client.HTTPSConnection:
        """Return a connection that is kept alive."""
        return http.client.HTTPSConnection("127.0.0.1", self.port, context=context or self.trusted(), timeout=PATIENCE_SECONDS)

    def raw(self) -> ssl.SSLSocket:
        """Return a TLS connection for bytes."""
        context = self.trusted()
        plain = socket.create_connection(("127.0.0.1", self.port), PATIENCE_SECONDS)
        return context.wrap_socket(plain, server_hostname="127.0.0.1")

    def call(self, path: str, body: bytes | None = None, headers: Mapping[str, str] = JSON, method: str = "POST") -> tuple[int, bytes]:
        """Return status and body of one call on a connection of its own."""
        connection = self.connect()
        try:
            return call_on(connection, path, body, headers, method)
        finally:
            connection.close()

    def ops(self, path: str) -> tuple[int, bytes]:
        """Return status and body of a page of the ops port."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.ops_port}{path}", timeout=PATIENCE_SECONDS) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()

    def metric(self, sample: str) -> float:
        """Return the value of one sample, spelt as it is shown; 0 where there is none."""
        for line in self.ops("/metrics")[1].decode().splitlines():
            name, _, value = line.rpartition(" ")
            if name == sample:
                return float(value)
        return 0.0

    def wait_until(self, sample: str, value: float) -> None:
        """Wait until a sample has this value."""
        over = time.monotonic() + PATIENCE_SECONDS
        while (found := self.metric(sample)) != value:
            if time.monotonic() > over:
                message = f"{sample} is {found}, not {value}"
                raise AssertionError(message)
            time.sleep(0.01)

    def resident_bytes(self) -> int:
        """Return how much memory it holds."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGESIZE")

    def terminate(self) -> int:
        """Send SIGTERM and return the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE_SECONDS)


def call_on(
    connection: http.client.HTTPConnection, path: str, body: bytes | None = None, headers: Mapping[str, str] = JSON, method: str = "POST"
) -> tuple[int, bytes]:
    """Return status and body of one call."""
    connection.request(method, path, body, dict(headers))
    answer = connection.getresponse()
    return answer.status, answer.read()


def answer_from(raw: socket.socket) -> tuple[int, dict[str, str], bytes]:
    """Return status, header and body of one response that is read from a socket."""
    answer = http.client.HTTPResponse(raw)
    answer.begin()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
