"""Documents that nest deeper than anything is written: those commands that write anew refuse them, checking goes on."""

import json
from pathlib import Path

import pytest

from tests.cli.program import percard
from tests.support.pods import huawei


def _file(folder: Path, levels: int) -> Path:
    file = folder / "deep.json"
    text = json.dumps(huawei(count="2", note="@"))
    file.write_text(text.replace('"@"', "[" * levels + "]" * levels), encoding="utf-8")
    return file


COMMANDS = [("patch",), ("patch", "-o", "json"), ("patch", "-o", "jsonpatch"), ("convert", "--to", "hami"), ("explain",)]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_what_is_nested_too_deeply_cannot_be_read(tmp_path: Path, command: tuple[str, ...]) -> None:
    file = _file(tmp_path, 600)
    done = percard(*command, str(file))
    assert done.returncode == 3
    assert f"{file}:1:1: unreadable: a document must not be nested deeper than 200 levels" in done.stderr


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_what_is_nested_less_deeply_is_no_matter(tmp_path: Path, command: tuple[str, ...]) -> None:
    assert percard(*command, str(_file(tmp_path, 150))).returncode == 0


def test_a_check_has_no_such_limit(tmp_path: Path) -> None:
    assert percard("check", str(_file(tmp_path, 600))).returncode == 0
