"""Exit codes where the surroundings are broken: closed streams, links that loop, names that cannot be spelt, interrupts."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.program import HANG_SECONDS, PROGRAM, environment, percard
from tests.lint.manifests import bad_pod, good_pod
from webhook.lint.output import format_names

READERS = ["check", "fix", "patch", "explain", "baseline"]


def _in_shell(redirection: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    """Run percard with its streams as a shell leaves them."""
    script = f'exec "$@" {redirection}'
    command = ["/bin/sh", "-c", script, "sh", *PROGRAM, *arguments]
    return subprocess.run(command, cwd=cwd, env=environment(), capture_output=True, timeout=HANG_SECONDS, check=False)


@pytest.mark.parametrize("command", READERS)
def test_a_folder_without_manifests_is_clean_and_told(tmp_path: Path, command: str) -> None:
    (tmp_path / "notes.txt").write_text("nothing", encoding="utf-8")
    (tmp_path / ".hidden.yaml").write_text(bad_pod(), encoding="utf-8")
    answer = percard(command, ".", cwd=tmp_path)
    assert answer.returncode == 0
    assert answer.stderr.startswith("percard: there is nothing to read: no .yaml, .yml, .json file at '.' (")


def test_a_folder_with_manifests_is_not_told(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(good_pod(), encoding="utf-8")
    assert percard("check", ".", cwd=tmp_path).stderr == ""


@pytest.mark.parametrize("command", READERS)
def test_a_closed_standard_input_cannot_be_read(tmp_path: Path, command: str) -> None:
    done = _in_shell("<&-", command, "-", cwd=tmp_path)
    assert (done.returncode, b"standard input is closed" in done.stdout + done.stderr) == (3, True)


def test_a_closed_standard_output_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(bad_pod(), encoding="utf-8")
    done = _in_shell(">&-", "check", "a.yaml", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, b"percard: cannot write the output: standard output is closed\n")
    assert _in_shell(">&-", "check", "-o", "json=a.json", "a.yaml", cwd=tmp_path).returncode == 1


@pytest.mark.parametrize(
    ("arguments", "code"), [(["check", "a.yaml"], 1), (["check", "--no-such"], 2), (["explain", "gone.yaml"], 3)], ids=str
)
def test_a_closed_standard_error_changes_no_exit_code(tmp_path: Path, arguments: list[str], code: int) -> None:
    (tmp_path / "a.yaml").write_text(bad_pod(), encoding="utf-8")
    done = _in_shell("2>&-", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (code, b"")


@pytest.mark.parametrize("command", ["check", "explain"])
@pytest.mark.parametrize("path", [".", "loop.yaml"], ids=["below a folder", "named"])
def test_a_link_to_itself_is_unreadable_and_hides_nothing(tmp_path: Path, command: str, path: str) -> None:
    (tmp_path / "loop.yaml").symlink_to("loop.yaml")
    (tmp_path / "z.yaml").write_text(good_pod(), encoding="utf-8")
    answer = percard(command, path, "z.yaml", cwd=tmp_path)
    assert answer.returncode == 3
    assert "loop.yaml: unreadable: Too many levels of symbolic links" in (answer.stdout + answer.stderr).replace("yaml::", "yaml:")
    assert "1 GPU pod" in answer.stdout or "Pod team/trial" in answer.stdout


def test_a_name_that_is_too_long_is_no_file(tmp_path: Path) -> None:
    answer = percard("check", "a" * 5000, cwd=tmp_path)
    assert (answer.returncode, "no such file or folder" in answer.stdout) == (3, True)


@pytest.mark.skipif(os.name != "posix", reason="names are bytes only there")
@pytest.mark.parametrize("name", format_names())
def test_a_name_that_is_no_text_is_reported_in_every_format(tmp_path: Path, name: str) -> None:
    try:
        (tmp_path / os.fsdecode(b"x\xff.yaml")).write_text(bad_pod(), encoding="utf-8")
    except OSError:
        pytest.skip("this file system takes no such names")
    answer = percard("check", "-o", name, ".", cwd=tmp_path)
    assert (answer.returncode, answer.stderr) == (1, "")


@pytest.mark.parametrize("command", ["baseline", "fix", "explain", "convert --to hami"])
def test_the_name_of_a_file_cannot_steer_a_terminal(tmp_path: Path, command: str) -> None:
    (tmp_path / "\x1b[2J.yaml").write_text("volcano.sh/gpu-num: [\n", encoding="utf-8")
    answer = percard(*command.split(), ".", cwd=tmp_path)
    assert (answer.returncode, "\\u001b[2J.yaml" in answer.stderr, "\x1b" in answer.stderr) == (3, True, False)


def test_the_name_of_a_chart_cannot_steer_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "\x1b[2J" / "templates").mkdir(parents=True)
    (tmp_path / "\x1b[2J" / "Chart.yaml").write_text("name: app\n", encoding="utf-8")
    (tmp_path / "\x1b[2J" / "templates" / "a.yaml").write_text(bad_pod(), encoding="utf-8")
    answer = percard("check", ".", cwd=tmp_path)
    assert ("helm template" in answer.stderr, "\x1b" in answer.stderr) == (True, False)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(bad_pod(), encoding="utf-8")
    (tmp_path / "a.yaml").chmod(0)
    answer = percard("check", ".", cwd=tmp_path)
    assert (answer.returncode, "a.yaml: unreadable: Permission denied" in answer.stdout) == (3, True)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that opens and cannot be read")
def test_a_file_that_fails_while_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").symlink_to("/proc/self/mem")
    answer = percard("check", ".", cwd=tmp_path)
    assert (answer.returncode, "a.yaml: unreadable: Input/output error" in answer.stdout) == (3, True)


@pytest.mark.parametrize("command", [*READERS, "convert"])
def test_a_settings_file_that_is_missing(tmp_path: Path, command: str) -> None:
    (tmp_path / "a.yaml").write_text(good_pod(), encoding="utf-8")
    to = ["--to", "volcengine"] if command == "convert" else []
    named = percard(command, *to, "--config", "gone.yaml", "a.yaml", cwd=tmp_path)
    from_environment = percard(command, *to, "a.yaml", cwd=tmp_path, PERCARD_CONFIG="gone.yaml")
    for answer in (named, from_environment):
        assert (answer.returncode, answer.stdout, "gone.yaml" in answer.stderr) == (2, "", True)


@pytest.mark.parametrize("options", [["check"], ["check", "-j", "2"], ["fix"], ["patch"], ["explain"], ["baseline"]], ids=" ".join)
def test_an_interrupt_ends_quietly(tmp_path: Path, options: list[str]) -> None:
    for number in range(130):
        (tmp_path / f"{number:03}.yaml").write_text(good_pod(), encoding="utf-8")
    pipe = tmp_path / "100.yaml"
    pipe.unlink()
    os.mkfifo(pipe)
    command = [*PROGRAM, *options, str(tmp_path)]
    process = subprocess.Popen(command, env=environment(), start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    # Opening the other end returns once percard reads from it.
    with pipe.open("wb"):
        time.sleep(0.1)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=HANG_SECONDS)
    assert (process.returncode, err.strip()) == (130, b"")


@pytest.mark.parametrize("command", ["patch", "explain", "baseline", "checks"])
def test_a_reader_that_goes_away_is_no_fault(tmp_path: Path, command: str) -> None:
    (tmp_path / "a.yaml").write_text("---\n".join([good_pod()] * 2000), encoding="utf-8")
    arguments = [] if command == "checks" else ["a.yaml"]
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as gone:
        done = subprocess.run(
            [*PROGRAM, command, *arguments],
            cwd=tmp_path,
            env=environment(),
            stdout=gone,
            stderr=subprocess.PIPE,
            timeout=HANG_SECONDS,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, b"")
