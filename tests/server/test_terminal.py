"""Who starts a server by hand reads its log on a terminal: text instead of JSON, and what to open."""

import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.process import PATIENCE_SECONDS, ROOT
from webhook.server.logs import style_of
from webhook.server.run import _typed

PORTS = ("--port", "0", "--ops-port", "0")


def _lines(master: int) -> Iterator[str]:
    """Yield what arrives on a terminal, until nobody has it open any more."""
    with os.fdopen(master, "rb", buffering=0) as terminal:
        text = b""
        while True:
            try:
                text += terminal.read(4096)
            except OSError:
                return
            *lines, text = text.split(b"\r\n")
            yield from (line.decode() for line in lines)


def _serve(*arguments: str, **environ: str) -> tuple["subprocess.Popen[bytes]", Iterator[str]]:
    master, slave = pty.openpty()
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PERCARD_")}
    command = [sys.executable, "-m", "webhook.cli", "serve", *PORTS, *arguments]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stderr=slave, env=plain | environ)
    os.close(slave)
    return process, _lines(master)


def test_a_terminal_gets_text_and_what_to_open() -> None:
    process, lines = _serve("--self-signed")
    shown = []
    with process:
        for line in lines:
            shown.append(line)
            if "Ctrl-C" in line:
                process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE_SECONDS) == 130
    assert [line for line in shown if line.startswith("{")] == []
    [told] = (line for line in shown if "Ctrl-C" in line)
    [serving] = (line for line in shown if "] serving " in line)
    ports = dict(re.findall(r"(port|ops_port)=([0-9]+)", serving))
    assert f"docs=https://127.0.0.1:{ports['port']}/docs" in told
    assert f"trust=http://127.0.0.1:{ports['ops_port']}/ca.pem" in told
    assert re.match(r"20[0-9]{2}-[0-9]{2}-[0-9]{2}T", told)


def test_a_terminal_gets_json_where_a_site_says_so(tmp_path: Path) -> None:
    settings = tmp_path / "percard.yaml"
    settings.write_text("log: {format: json}\n")
    process, lines = _serve("--self-signed", "--config", str(settings))
    with process:
        assert next(lines).startswith("{")
        process.kill()


@pytest.mark.parametrize("wanted", ["json", "text"])
def test_a_style_that_is_named_holds_everywhere(wanted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for is_watched in (True, False):
        monkeypatch.setattr("webhook.server.logs.is_watched", lambda is_watched=is_watched: is_watched)
        assert style_of(wanted) == wanted


@pytest.mark.parametrize(
    ("host", "typed"),
    [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "localhost"), ("::", "localhost"), ("::1", "[::1]")],  # noqa: S104 - nothing is bound
    ids=["one address", "all", "all of IPv6", "one of IPv6"],
)
def test_an_address_is_shown_as_it_is_typed(host: str, typed: str) -> None:
    assert _typed(host) == typed
