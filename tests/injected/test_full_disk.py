"""A disk that is full: what was there stays whole, what could not be written is told, and the server goes on."""

import json
import resource
import ssl
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import trustme

from tests.cli.program import HANG_SECONDS, PROGRAM, ROOT, environment, percard
from tests.injected.conditions import LOOKS_OFTEN, before_start, limited, small_disk
from tests.lint.manifests import bad_pod
from tests.server.mounted import MountedSecret
from tests.server.process import PATIENCE_SECONDS, Server, review_bytes
from webhook.lint.baseline import BaselineError, read_baseline

GOOD = review_bytes("pod-create-volcengine-mutate")
# Twice 41 KB do not fit on 64 KiB.
LARGE = "---\n".join([bad_pod()] * 150)
NO_FILES_OVER_1_KIB = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (1024, resource.RLIM_INFINITY))\n"


@pytest.mark.parametrize("way", ["a full disk", "a limit on the size of files"])
def test_a_repair_that_does_not_fit_leaves_the_file_and_nothing_else(tmp_path: Path, way: str) -> None:
    assert 32 << 10 < len(LARGE) < 60 << 10
    if way == "a full disk":
        with small_disk(tmp_path / "disk", 64) as folder:
            _fails_to_repair(folder, "No space left on device")
    else:
        (tmp_path / "disk").mkdir()
        _fails_to_repair(tmp_path / "disk", "File too large", before_start(tmp_path / "site", NO_FILES_OVER_1_KIB)["PYTHONPATH"])


def _fails_to_repair(folder: Path, problem: str, path: str = str(ROOT)) -> None:
    (folder / "a.yaml").write_text(LARGE)
    answer = percard("fix", folder / "a.yaml", PYTHONPATH=path)
    assert (answer.returncode, answer.stderr) == (2, f"percard: cannot write {folder / 'a.yaml'}: {problem}\n")
    assert [file.name for file in folder.iterdir()] == ["a.yaml"]
    assert (folder / "a.yaml").read_text() == LARGE


@pytest.mark.parametrize("old", ["", "the report before\n"], ids=["a new report", "another report before"])
def test_a_report_that_does_not_fit_is_not_there_by_half(tmp_path: Path, old: str) -> None:
    (tmp_path / "a.yaml").write_text(LARGE)
    with small_disk(tmp_path / "disk", 16) as folder:
        if old:
            (folder / "r.json").write_text(old)
        answer = percard("check", "-o", f"json={folder / 'r.json'}", "a.yaml", cwd=tmp_path)
        assert (answer.returncode, answer.stderr) == (2, f"percard: cannot write {folder / 'r.json'}: No space left on device\n")
        assert {file.name: file.read_text() for file in folder.iterdir()} == ({"r.json": old} if old else {})


# Python writes in two ways; the image and CI use the second.
UNBUFFERED = pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])


@UNBUFFERED
def test_a_baseline_that_does_not_fit_is_told_and_its_half_is_never_taken_for_one(tmp_path: Path, unbuffered: str) -> None:
    (tmp_path / "a.yaml").write_text(LARGE)
    with small_disk(tmp_path / "disk", 8) as folder:
        with (folder / "baseline.json").open("wb") as file:
            done = subprocess.run(
                [*PROGRAM, "baseline", "a.yaml"],
                cwd=tmp_path,
                env=environment(PYTHONUNBUFFERED=unbuffered),
                stdout=file,
                stderr=subprocess.PIPE,
                timeout=HANG_SECONDS,
                check=False,
            )
        assert (done.returncode, done.stderr) == (2, b"percard: cannot write the output: No space left on device\n")
        answer = percard("check", "--baseline", folder / "baseline.json", "a.yaml", cwd=tmp_path)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "must be JSON, as `percard baseline` prints it" in answer.stderr


@UNBUFFERED
@pytest.mark.parametrize("arguments", ["--version", "--help", "check --help", "checks", "config", "check a.yaml", "nothing"])
def test_an_output_that_does_not_fit_is_an_error_of_the_output(tmp_path: Path, arguments: str, unbuffered: str) -> None:
    (tmp_path / "a.yaml").write_text(LARGE)
    script = 'exec "$@" >/dev/full'
    command = ["/bin/sh", "-c", script, "sh", *PROGRAM, *arguments.split()]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment(PYTHONUNBUFFERED=unbuffered), capture_output=True, timeout=HANG_SECONDS, check=False
    )
    assert done.returncode == 2
    assert arguments == "nothing" or done.stderr == b"percard: cannot write the output: No space left on device\n"


@UNBUFFERED
@pytest.mark.parametrize(
    ("arguments", "code"), [("check a.yaml", 1), ("fix gone.yaml", 3), ("nothing", 2), ("fix a.yaml", 0), ("check --config gone a.yaml", 2)]
)
def test_what_cannot_be_told_on_standard_error_changes_no_exit_code(tmp_path: Path, arguments: str, code: int, unbuffered: str) -> None:
    (tmp_path / "a.yaml").write_text(LARGE)
    command = ["/bin/sh", "-c", 'exec "$@" 2>/dev/full', "sh", *PROGRAM, *arguments.split()]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment(PYTHONUNBUFFERED=unbuffered), capture_output=True, timeout=HANG_SECONDS, check=False
    )
    assert done.returncode == code


def test_no_part_of_a_baseline_is_taken_for_one(tmp_path: Path) -> None:
    whole = '{"version": 1, "findings": [\n  {"fingerprint": "a"},\n  {"fingerprint": "b"}\n]}'
    file = tmp_path / "baseline.json"
    for length in range(len(whole)):
        file.write_text(whole[:length])
        with pytest.raises(BaselineError, match="must be JSON"):
            read_baseline(file)
    file.write_text(whole)
    assert read_baseline(file) == {"a", "b"}


def test_a_log_that_does_not_fit_costs_no_call_and_goes_on_in_whole_lines(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 64) as folder, Server(folder, "--self-signed") as server:
        server.wait_for("serving")
        filler = folder / "filler"
        with pytest.raises(OSError, match="No space"):
            filler.write_bytes(b"x" * (1 << 20))
        assert {server.call("/mutate", GOOD)[0] for _ in range(200)} == {200}
        _wait_until(lambda: server.metric("percard_log_lines_dropped_total") > 0)
        cut = len(server.log_text())
        filler.unlink()
        for _ in range(3):
            assert server.call("/mutate", GOOD)[0] == 200
        _wait_until(lambda: server.log_text()[cut:].count("\n") >= 3)
        whole = server.log_text().rpartition("\n")[0]
        assert all(json.loads(line)["event"] for line in whole.splitlines())


def _wait_until(is_so: Callable[[], bool]) -> None:
    over = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < over
        time.sleep(0.05)


def test_a_certificate_that_cannot_be_written_for_openssl_is_taken_as_soon_as_it_can(tmp_path: Path) -> None:
    """OpenSSL reads files alone, so the pair is written to one in memory."""
    ca, secret = trustme.CA(), MountedSecret(tmp_path / "secret")
    secret.issue(ca)
    with Server(tmp_path, *secret.arguments, environ=before_start(tmp_path / "site", LOOKS_OFTEN)) as server:
        server.ca = ssl.create_default_context(cadata=ca.cert_pem.bytes().decode())
        server.wait_for("serving")
        first = ssl.get_server_certificate(("127.0.0.1", server.port))
        with limited(server.process.pid, resource.RLIMIT_FSIZE, 0):
            leaf = secret.issue(ca)
            server.wait_until('percard_reloads_total{result="failed",what="certificate"}', 1)
            assert ssl.get_server_certificate(("127.0.0.1", server.port)) == first
            assert (server.call("/mutate", GOOD)[0], server.ops("/readyz")[0]) == (200, 200)
        server.wait_until('percard_reloads_total{result="ok",what="certificate"}', 2)
        assert ssl.get_server_certificate(("127.0.0.1", server.port)).strip().encode() in leaf
