"""The exit codes, one by one, of the real program."""

import os
import pty
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.program import HANG_SECONDS, PROGRAM, ROOT, environment, percard
from tests.lint.manifests import PLAIN, bad_pod, good_pod

WARNED = good_pod().replace("name: app", "name: app\n      securityContext: {privileged: true}")


@pytest.mark.parametrize(
    ("manifest", "options", "code"),
    [
        (good_pod(), [], 0),
        (PLAIN, [], 0),
        ("", [], 0),
        (WARNED, [], 0),
        (WARNED, ["--strict"], 1),
        (bad_pod(), [], 1),
        (f"{bad_pod()}---\nvolcano.sh/gpu-num: [\n", [], 3),
        ("a: [\n", [], 3),
    ],
    ids=[
        "clean",
        "no marks",
        "nothing",
        "a warning",
        "a warning, strictly",
        "an error",
        "an error and unreadable",
        "unreadable without marks",
    ],
)
def test_check(manifest: str, options: list[str], code: int) -> None:
    answer = percard("check", *options, "-", stdin=manifest)
    assert answer.returncode == code
    assert bool(answer.stderr) is (manifest in (PLAIN, ""))  # that nothing was judged


@pytest.mark.parametrize(
    "arguments",
    [
        ["no-such-command"],
        ["check"],
        ["check", "--no-such-option", "."],
        ["check", "-o", "no-such-format", "."],
        ["check", "-o", "json", "-o", "text", "."],
        ["check", "-j", "0", "."],
        ["check", "--config", "no-such-file.yaml", "."],
        ["review", "--endpoint", "other", "x"],
        ["checks", "no-such-check"],
        ["dialects", "no-such-dialect"],
        ["config", "--config", "no-such-file.yaml"],
        ["serve"],
        ["serve", "--self-signed", "--port", "70000"],
        ["serve", "--cert", "a.pem"],
        ["check", "-o", "json=/dev/null/x.json", "."],
        ["check", "--baseline", "no-such-file.json", "."],
    ],
    ids=" ".join,
)
def test_wrong_usage_and_settings(arguments: list[str], tmp_path: Path) -> None:
    answer = percard(*arguments, cwd=tmp_path)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "Traceback" not in answer.stderr
    assert answer.stderr


@pytest.mark.parametrize("command", ["check", "patch", "explain", "review"])
def test_an_input_that_is_not_there(command: str, tmp_path: Path) -> None:
    answer = percard(command, tmp_path / "no.yaml")
    assert answer.returncode == 3
    assert "no.yaml" in answer.stdout + answer.stderr
    assert "Traceback" not in answer.stderr


def test_a_setting_from_the_environment_counts() -> None:
    assert percard("check", "-", stdin=bad_pod(), PERCARD_CHECKS__MEMORY_STEP__SEVERITY="warning").returncode == 0
    assert percard("check", "-", stdin=bad_pod(), PERCARD_CHECKS__NO_SUCH__SEVERITY="off").returncode == 2


@pytest.mark.parametrize("debug", [[], ["--debug"]], ids=["no trace", "a trace with --debug"])
def test_a_fault_of_percard(tmp_path: Path, debug: list[str]) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "from webhook.core.engine import Engine\ndef broken(*_, **__): raise ZeroDivisionError('a fault')\nEngine.examine = broken\n",
        encoding="utf-8",
    )
    answer = percard("check", *debug, "-", stdin=bad_pod(), PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}")
    assert (answer.returncode, answer.stdout) == (4, "")
    assert "percard failed on document 0 of -" in answer.stderr
    assert "Please report it" in answer.stderr
    assert ("Traceback" in answer.stderr) is bool(debug)


def test_an_interrupt(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.yaml"
    os.mkfifo(pipe)
    process = subprocess.Popen([*PROGRAM, "check", str(pipe)], env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    # Opening the other end returns once percard reads from it.
    with pipe.open("wb"):
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=HANG_SECONDS)
    assert (process.returncode, out, err.strip()) == (130, b"", b"")


def test_a_reader_that_goes_away_changes_nothing_but_the_output(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("---\n".join([bad_pod()] * 2000), encoding="utf-8")
    process = subprocess.Popen([*PROGRAM, "check", str(tmp_path)], env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert (process.wait(timeout=HANG_SECONDS), process.stderr.read()) == (1, b"")
    process.stderr.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_an_output_that_cannot_be_written() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*PROGRAM, "checks"], env=environment(), stdout=full, stderr=subprocess.PIPE, timeout=HANG_SECONDS, check=False
        )
    assert (done.returncode, done.stderr) == (2, b"percard: cannot write the output: No space left on device\n")


def test_a_folder_that_contains_itself_ends(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(bad_pod(), encoding="utf-8")
    (tmp_path / "self").symlink_to(tmp_path, target_is_directory=True)
    answer = percard("check", tmp_path)
    assert (answer.returncode, answer.stdout.count("[memory-step]")) == (1, 1)


@pytest.mark.parametrize(("extra", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)], ids=str)
def test_colours_are_for_terminals(tmp_path: Path, extra: dict[str, str], coloured: bool) -> None:  # noqa: FBT001 - a parameter
    (tmp_path / "a.yaml").write_text(bad_pod(), encoding="utf-8")
    parent, child = pty.openpty()
    with os.fdopen(parent, "rb", buffering=0) as screen:
        command = [*PROGRAM, "check", str(tmp_path / "a.yaml")]
        done = subprocess.run(command, env=environment(**extra), stdout=child, stderr=subprocess.PIPE, timeout=HANG_SECONDS, check=False)
        os.close(child)
        shown = screen.read(65536)
    assert (done.returncode, b"\x1b[" in shown) == (1, coloured)
