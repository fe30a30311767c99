"""A settings file in every bad state: it is told once, the settings before stay in force, and a good file ends it."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.injected.conditions import LOOKS_OFTEN, NO_RIGHTS, before_start
from tests.server.process import Server, review_bytes
from webhook.server.watch import SettingsWatch
from webhook.settings import SettingsError, Sources

BODY = review_bytes("statefulset-create-uneven")
STRICT, LENIENT = "workloads: error\n", "workloads: warning\n"


def _clear(file: Path) -> None:
    if file.is_dir():
        file.rmdir()
    else:
        file.unlink(missing_ok=True)


def _instead(file: Path, make: Callable[[Path], object]) -> None:
    _clear(file)
    make(file)


STATES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a folder": (lambda file: _instead(file, Path.mkdir), "Is a directory"),
    "gone": (_clear, "No such file or directory"),
    "a pipe": (lambda file: _instead(file, os.mkfifo), "it must be a file"),
    "endless": (lambda file: _instead(file, lambda path: path.symlink_to("/dev/zero")), "it must be a file"),
    "unreadable": (lambda file: file.chmod(0), "Permission denied"),
    "of two MiB": (lambda file: file.write_text("# a\n" * (1 << 19)), "it must be smaller than 1048576 bytes"),
    "no YAML": (lambda file: file.write_text("workloads: ["), "is no YAML"),
    "with a mistake": (lambda file: file.write_text("workloads: sometimes\n"), "workloads: must be"),
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Path]]:
    """Serve with a settings file, as a user without any rights."""
    folder = tmp_path_factory.mktemp("settings")
    file = folder / "percard.yaml"
    file.write_text(STRICT)
    often = before_start(folder / "site", LOOKS_OFTEN, NO_RIGHTS)
    with Server(folder, "--self-signed", "--config", str(file), environ=often) as server:
        server.wait_for("serving")
        yield server, file


def _is_allowed(server: Server) -> bool:
    return bool(json.loads(server.call("/validate", BODY)[1])["response"]["allowed"])


@pytest.mark.parametrize("state", STATES)
def test_a_bad_state_is_told_once_and_changes_no_verdict_until_a_good_file_comes(served: tuple[Server, Path], state: str) -> None:
    server, file = served
    damage, problem = STATES[state]
    told, in_force = len(server.lines("settings not usable")), len(server.lines("settings in force"))
    damage(file)
    assert problem in server.wait_for("settings not usable", told + 1)["problems"][0]
    assert not _is_allowed(server)
    for text, allowed in ((LENIENT, True), (STRICT, False)):
        _clear(file)
        file.write_text(text)
        in_force += 1
        server.wait_for("settings in force", in_force)
        assert _is_allowed(server) is allowed
    assert server.process.poll() is None


def test_what_is_wrong_is_not_told_at_every_look(tmp_path: Path) -> None:
    file = tmp_path / "percard.yaml"
    file.write_text(STRICT)
    watch = SettingsWatch(Sources(file), "1")
    _instead(file, Path.mkdir)
    with pytest.raises(SettingsError, match="Is a directory"):
        watch.changed()
    assert [watch.changed() for _ in range(5)] == [None] * 5
    file.rmdir()
    with pytest.raises(SettingsError, match="No such file"):
        watch.changed()
    file.write_text(STRICT)
    assert [found is not None for found in (watch.changed(), watch.changed(), watch.changed())].count(True) == 1


def test_half_of_a_file_that_is_being_written_is_not_taken_for_settings(tmp_path: Path) -> None:
    """Its first lines are settings too, and an empty file stands for the defaults."""
    file = tmp_path / "percard.yaml"
    file.write_text(STRICT)
    watch = SettingsWatch(Sources(file), "1")
    whole = "checks:\n  memory_step:\n    severity: warning\nworkloads: warning\n"
    for length in (0, whole.index("workloads"), len(whole)):
        file.write_text(whole[:length])
        assert watch.changed() is None
    found = watch.changed()
    assert found
    assert found[0].workloads == "warning"
    assert watch.changed() is None
