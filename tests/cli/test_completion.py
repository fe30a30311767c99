"""Words that a shell completes, the name under which kubectl finds the program, and the page on repairs."""

import re
from pathlib import Path

import pytest

from tests.cli.program import ROOT, SCRIPTS, run
from webhook.cli import main
from webhook.lint.fix import SAFE, UNSAFE


def test_kubectl_finds_the_program_under_the_name_of_a_plugin(folder: Path) -> None:
    assert SCRIPTS["kubectl-percard"] == SCRIPTS["percard"] == f"{main.__module__}:{main.__name__}"
    assert run(folder, "kubectl-percard check deploy/").returncode == 0


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("percard ch", {"check", "checks"}),
        ("percard check -o s", {"sarif"}),
        ("percard check --stri", {"--strict"}),
        ("percard explain -o ", {"text", "json"}),
    ],
)
def test_a_shell_completes_commands_options_and_formats(folder: Path, words: str, completed: set[str]) -> None:
    count = words.count(" ")
    done = run(folder, "percard", COMP_WORDS=words, COMP_CWORD=str(count), _PERCARD_COMPLETE="bash_complete")
    assert {line.partition(",")[2] for line in done.stdout.splitlines()} == completed
    assert (done.returncode, done.stderr) == (0, "")


def test_a_shell_completes_files_by_itself(folder: Path) -> None:
    done = run(folder, "percard", COMP_WORDS="percard check de", COMP_CWORD="2", _PERCARD_COMPLETE="bash_complete")
    assert done.stdout == "file,de\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_of_each_shell_is_printed(folder: Path, shell: str) -> None:
    done = run(folder, "percard", _PERCARD_COMPLETE=f"{shell}_source")
    assert (done.returncode, "_PERCARD_COMPLETE" in done.stdout) == (0, True)


def test_the_page_on_repairs_lists_what_is_repaired() -> None:
    page = (ROOT / "docs/fix.md").read_text(encoding="utf-8")
    safe, _, unsafe = page.partition("With `--unsafe` also")
    rows = [
        {check for row in re.findall(r"^\| (`.+?`) \|", part, re.MULTILINE) for check in re.findall(r"`([a-z-]+)`", row)}
        for part in (safe, unsafe)
    ]
    assert rows == [set(SAFE), set(UNSAFE)]
