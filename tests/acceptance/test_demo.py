"""`make demo`: it shows the main job, says when that fails, and leaves nothing behind."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.acceptance.workcopy import changes, clean_environment, work_copy
from tools.demo import BAD, GOOD

HANG_GUARD_SECONDS = 120


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return work_copy(tmp_path)


class Run:
    """A command in a process group of its own, so that nothing that it started can hide."""

    def __init__(self, copy: Path, *command: str) -> None:
        self.process = subprocess.Popen(
            command,
            cwd=copy,
            env=clean_environment(copy.parent) | {"PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def ends(self) -> tuple[int, str, str]:
        out, err = self.process.communicate(timeout=HANG_GUARD_SECONDS)
        return self.process.returncode, out, err

    def interrupt(self) -> None:
        """Do what Ctrl-C does: every process of the terminal's group gets the signal."""
        os.killpg(self.process.pid, signal.SIGINT)

    def left_processes(self) -> bool:
        try:
            os.killpg(self.process.pid, 0)
        except ProcessLookupError:
            return False
        return True


def lines_until(run: Run, text: str) -> Iterator[str]:
    for line in run.process.stdout or ():
        yield line
        if text in line:
            return


def port_in(output: str) -> int:
    found = re.search(r"on port ([0-9]+)", output)
    assert found is not None, output
    return int(found[1])


def is_open(port: int) -> bool:
    with socket.socket() as sock:
        return sock.connect_ex(("127.0.0.1", port)) == 0


def test_make_demo_shows_every_step_and_leaves_nothing_behind(copy: Path) -> None:
    run = Run(copy, "make", "demo")
    code, out, err = run.ends()
    assert (code, err) == (0, "")
    for name in (*GOOD, *BAD):
        assert f"manifests/examples/{name}" in out
    assert "→ 2 cards, each 2048 MiB and 15 % of compute, placed by default-scheduler" in out
    assert "→ 2 cards, each 4096 MiB, compute not limited, placed by volcano" in out
    assert "→ 2 cards, each at least 4096 MiB, compute not limited, placed by default-scheduler" in out
    assert 'The Deployment "xgpu-worker" is invalid:' in out
    assert "2730 2/3 MiB each" in " ".join(out.split())
    assert not run.left_processes()
    assert not is_open(port_in(out))
    assert list((copy.parent / "tmp").iterdir()) == []
    assert list((copy.parent / "home").iterdir()) == []
    assert changes(copy, copy.parent) == ""


def test_ctrl_c_ends_the_demo_and_its_server(copy: Path) -> None:
    run = Run(copy, sys.executable, "-m", "tools.demo")
    out = "".join(lines_until(run, "on port"))
    run.interrupt()
    code, _, err = run.ends()
    assert code == 130
    assert "Traceback" not in err
    assert not run.left_processes()
    assert not is_open(port_in(out))
    assert changes(copy, copy.parent) == ""


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_a_signal_to_the_demo_alone_ends_its_server_too(copy: Path, sent: signal.Signals) -> None:
    run = Run(copy, sys.executable, "-m", "tools.demo")
    out = "".join(lines_until(run, "on port"))
    run.process.send_signal(sent)
    code, _, _ = run.ends()
    assert code == 130
    assert not run.left_processes()
    assert not is_open(port_in(out))


# Each changes what the example says: another split, a mistake, no mistake.
BROKEN = {
    "volcengine/deployment.yaml": ("mgpu-memory: 4096", "mgpu-memory: 8192"),
    "alibaba/job.yaml": ('gpu-count: "2"', 'gpu-count: "3"'),
    "huawei/uneven-memory.yaml": ('gpu-num: "3"', 'gpu-num: "4"'),
    "huawei/five-mistakes.yaml": ("nvidia.com/gpu: 1", "nvidia.com/gpu: 0"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_the_demo_fails_where_one_example_is_answered_otherwise(copy: Path, name: str) -> None:
    file = copy / "manifests" / "examples" / name
    right, wrong = BROKEN[name]
    text = file.read_text(encoding="utf-8")
    assert right in text
    file.write_text(text.replace(right, wrong), encoding="utf-8")
    run = Run(copy, sys.executable, "-m", "tools.demo")
    code, out, err = run.ends()
    assert code == 1
    assert "The demo FAILED" in err
    assert "All went as it should" not in out
    assert not run.left_processes()
