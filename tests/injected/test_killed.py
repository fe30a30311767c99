"""Processes that are killed at random: what was answered is right, what was written is whole, and nothing stays behind."""

import contextlib
import http.client
import json
import os
import random
import signal
import ssl
import subprocess
import threading
import time
from pathlib import Path

import pytest
import trustme

from bench.soak.servers import fixed_ports
from tests.cli.program import HANG_SECONDS, PROGRAM, environment, percard
from tests.lint.manifests import bad_pod
from tests.server.process import JSON, PATIENCE_SECONDS, Server, review_bytes

GOOD = json.loads(review_bytes("pod-create-volcengine-mutate"))
KILLS = 12


class Caller(threading.Thread):
    """Calls one address for ever, on a new connection after each failure; keeps every answer that came whole, with its uid."""

    def __init__(self, port: int, number: int, context: ssl.SSLContext) -> None:
        super().__init__()
        self.answers: list[tuple[str, int, bytes]] = []
        self.failures: list[str] = []
        self.over = threading.Event()
        self._port, self._number, self._context = port, number, context

    def run(self) -> None:
        """Call until told to stop."""
        while not self.over.is_set():
            connection = http.client.HTTPSConnection("127.0.0.1", self._port, context=self._context, timeout=PATIENCE_SECONDS)
            with contextlib.closing(connection):
                try:
                    self._call_on(connection)
                except (OSError, http.client.HTTPException) as problem:
                    self.failures.append(type(problem).__name__)
                    time.sleep(0.02)

    def _call_on(self, connection: http.client.HTTPSConnection) -> None:
        while not self.over.is_set():
            uid = f"{self._number}-{len(self.answers)}"
            body = json.dumps({**GOOD, "request": {**GOOD["request"], "uid": uid}})
            connection.request("POST", "/mutate?timeout=10s", body, JSON)
            answer = connection.getresponse()
            self.answers.append((uid, answer.status, answer.read()))


def test_a_server_that_is_killed_under_load_has_answered_rightly_and_is_there_again_on_the_same_port(tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    ca, arguments = _pair(tmp_path)
    port, ops_port = fixed_ports(2)
    context = ssl.create_default_context(cadata=ca)
    callers = [Caller(port, number, context) for number in range(4)]
    chance = random.Random(7)  # noqa: S311 – the same moments each time
    ports = ("--port", str(port), "--ops-port", str(ops_port))
    try:
        for turn in range(KILLS):
            (tmp_path / str(turn)).mkdir()
            with Server(tmp_path / str(turn), *ports, *arguments) as server:
                server.wait_for("serving")
                for caller in callers:
                    if not caller.is_alive() and turn == 0:
                        caller.start()
                _wait_for_answers(callers)
                time.sleep(chance.uniform(0, 0.1))
                server.process.kill()
                assert server.process.wait() == -signal.SIGKILL
            whole = (tmp_path / str(turn) / "server.log").read_bytes().rpartition(b"\n")[0]
            assert all(json.loads(line)["event"] for line in whole.splitlines())
    finally:
        for caller in callers:
            caller.over.set()
            caller.join()
    _judge(callers)


def _judge(callers: list[Caller]) -> None:
    for caller in callers:
        for uid, status, body in caller.answers:
            response = json.loads(body)["response"]
            assert (status, response["uid"], response["allowed"], "patch" in response) == (200, uid, True, True)
    # A call that a kill cut off ends in one of these, never in half an answer.
    kinds = {failure for caller in callers for failure in caller.failures}
    assert kinds <= {"ConnectionRefusedError", "ConnectionResetError", "RemoteDisconnected", "SSLEOFError", "BrokenPipeError"}
    assert kinds


def _wait_for_answers(callers: list[Caller], count: int = 20) -> None:
    begun, over = [len(caller.answers) for caller in callers], time.monotonic() + PATIENCE_SECONDS
    while any(len(caller.answers) < before + count for caller, before in zip(callers, begun, strict=True)):
        assert time.monotonic() < over, "no answers after a restart"
        time.sleep(0.01)


def _pair(folder: Path) -> tuple[str, tuple[str, ...]]:
    """Write a pair; return its authority and the arguments that serve it."""
    authority = trustme.CA()
    leaf = authority.issue_cert("127.0.0.1")
    leaf.cert_chain_pems[0].write_to_path(str(folder / "tls.crt"))
    leaf.private_key_pem.write_to_path(str(folder / "tls.key"))
    return authority.cert_pem.bytes().decode(), ("--cert", str(folder / "tls.crt"), "--key", str(folder / "tls.key"))


def test_a_repair_that_is_killed_at_any_moment_leaves_every_file_old_or_repaired(tmp_path: Path) -> None:
    folder = tmp_path / "manifests"
    folder.mkdir()
    broken = "---\n".join([bad_pod()] * 3)
    (folder / "0.yaml").write_text(broken)
    assert percard("fix", folder).returncode == 0
    repaired = (folder / "0.yaml").read_text()
    assert repaired != broken
    chance, met = random.Random(3), set()  # noqa: S311 – the same moments each time
    for _ in range(KILLS):
        for number in range(40):
            (folder / f"{number}.yaml").write_text(broken)
        process = subprocess.Popen([*PROGRAM, "fix", str(folder)], env=environment(), stderr=subprocess.PIPE)
        assert process.stderr
        process.stderr.readline()  # "repaired …": it is in the midst of it
        time.sleep(chance.uniform(0, 0.05))
        process.kill()
        process.communicate(timeout=HANG_SECONDS)
        texts = {(folder / f"{number}.yaml").read_text() for number in range(40)}
        assert texts <= {broken, repaired}
        met |= texts
    assert met == {broken, repaired}
    assert percard("fix", folder).returncode == 0
    assert {(folder / f"{number}.yaml").read_text() for number in range(40)} == {repaired}
    assert percard("check", folder).returncode == 0


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """Return a folder with so many findings that a process waits for its reader before it has told all of them."""
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(4 * 64):
        (folder / f"{number}.yaml").write_text("---\n".join([bad_pod()] * 20))
    return folder


def _children(pid: int) -> list[int]:
    over = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < over:
        found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        if len(found) == 3:
            return list(map(int, found))
        time.sleep(0.005)
    message = "no three processes were started"
    raise AssertionError(message)


def test_processes_of_a_check_that_is_killed_end_by_themselves(many: Path) -> None:
    process = subprocess.Popen([*PROGRAM, "check", "-j", "4", str(many)], env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    children = _children(process.pid)
    process.send_signal(signal.SIGSTOP)  # so that nobody reads what they find
    time.sleep(1.5)
    process.kill()
    # Their ends of its streams are closed once they are gone.
    _, told = process.communicate(timeout=HANG_SECONDS)
    assert told == b""
    over = time.monotonic() + PATIENCE_SECONDS
    while any(map(_runs, children)):
        assert time.monotonic() < over, "a process still runs"
        time.sleep(0.01)


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_check_whose_process_is_killed_says_so_and_does_not_wait_for_it(many: Path) -> None:
    process = subprocess.Popen([*PROGRAM, "check", "-j", "4", str(many)], env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    os.kill(_children(process.pid)[0], signal.SIGKILL)
    shown, told = process.communicate(timeout=HANG_SECONDS)
    assert (process.returncode, shown) == (4, b"")
    assert told.startswith(b"percard: WorkerLostError: a process of -j was ended from outside, as happens where memory runs out; use fewer")
