"""The real server as a process: started on free ports, found by its log, stopped whatever happens."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from tools.apiserver import TIMEOUT_SECONDS, Webhook

PROGRAM = Path(sys.executable).with_name("percard")
COMMAND = ("serve", "--self-signed", "--port", "0", "--ops-port", "0")
# Nobody else calls this server, so it need not wait for stragglers when it is told to stop.
_SETTINGS = {"PERCARD_SERVE__QUIET_PERIOD": "0s"}
_LAST_LINES = 5


class NotServingError(Exception):
    """The server ended instead of serving; the text says what it told last."""


@contextlib.contextmanager
def served() -> Iterator[Webhook]:
    """Start `percard serve` and yield the webhook; at the end the server is stopped and must say that all was well."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PERCARD_")} | _SETTINGS
    with subprocess.Popen([PROGRAM, *COMMAND], env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        try:
            yield _webhook(process)
            process.terminate()
            # What it still writes is read, so that it can never wait for room in the pipe.
            process.communicate(timeout=TIMEOUT_SECONDS)
        finally:
            with _undisturbed():
                process.kill()
                process.wait()
    if process.returncode != 0:
        message = f"the server ended with exit code {process.returncode}"
        raise NotServingError(message)


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Let no second Ctrl-C keep the server from being stopped."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _webhook(process: subprocess.Popen[bytes]) -> Webhook:
    last: list[bytes] = []
    for line in process.stderr or ():
        last = [*last, line][-_LAST_LINES:]
        with contextlib.suppress(ValueError):
            event = json.loads(line)
            if event.get("event") == "serving":
                return Webhook(event["port"], _authority(event["ops_port"]))
    raise NotServingError("percard serve ended: " + b" ".join(last).decode(errors="replace").strip())


def _authority(ops_port: int) -> str:
    """Return the CA that the server made for itself; an API server would get it from its webhook configuration."""
    with urllib.request.urlopen(f"http://127.0.0.1:{ops_port}/ca.pem", timeout=TIMEOUT_SECONDS) as answer:
        text: str = answer.read().decode("ascii")
        return text
