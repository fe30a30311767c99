"""Commands in the middle of a sentence, and in a help text, are as good as those in blocks: what they name is there."""

import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest

from tests.acceptance.reader import PAGES, commands
from tests.acceptance.workcopy import ROOT
from webhook.cli.program import _group

EVERY_PAGE = sorted(
    str(page.relative_to(ROOT))
    for folder in (".", "docs", "bench", "manifests", "tests")
    for page in (ROOT / folder).glob("*.md" if folder == "." else "**/*.md")
)
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_EXAMPLES = re.compile(r"^\s*Examples:\n(.*?)\n\s*\n", re.MULTILINE | re.DOTALL)
GROUP = _group()
NAMES = GROUP.list_commands(click.Context(GROUP))


@cache
def _spellings(name: str) -> frozenset[str]:
    """Return every way to write an option of a command."""
    command = GROUP.get_command(click.Context(GROUP), name)
    assert command is not None
    found = [option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)]
    return frozenset([*found, "-h", "--help"])


def _inline(page: str) -> list[str]:
    """Return what stands between backquotes in the sentences of a page, on one line or on two."""
    return [" ".join(code.split()) for code in _CODE.findall(_FENCE.sub("", (ROOT / page).read_text(encoding="utf-8")))]


def _calls(text: str, *programs: str) -> Iterator[list[str]]:
    """Yield the words behind each of these programs in a command line, up to the next one of a pipe."""
    for part in re.split(r" \| | && |;", text):
        words = shlex.split(part.partition(" > ")[0])
        while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
            del words[0]
        if words and words[0] in programs and len(words) > 1:
            yield words[1:]


def _unknown(words: list[str]) -> list[str]:
    """Return what percard does not know of a call: its command, or options of it."""
    name, *rest = words
    if name.startswith("-"):
        return [] if name in ("--help", "-h", "--version") else [name]
    if name not in NAMES:
        return [name]
    return [word for word in rest if word.startswith("-") and word != "-" and word.partition("=")[0] not in _spellings(name)]


def _percard(text: str) -> list[list[str]]:
    return list(_calls(text, "percard", ".venv/bin/percard", ".percard/.venv/bin/percard"))


@pytest.mark.parametrize("page", EVERY_PAGE)
def test_a_command_of_percard_in_a_sentence_exists_with_its_options(page: str) -> None:
    assert [(code, unknown) for code in _inline(page) for call in _percard(code) if (unknown := _unknown(call))] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_of_a_help_text_are_commands_with_options_that_exist(name: str) -> None:
    command = GROUP.get_command(click.Context(GROUP), name)
    assert command is not None
    (examples,) = _EXAMPLES.findall(command.help or "")
    calls = [call for line in examples.splitlines() for call in _percard(line.strip())]
    assert name in [call[0] for call in calls]
    assert [(call, unknown) for call in calls if (unknown := _unknown(call))] == []


@pytest.mark.parametrize("page", EVERY_PAGE)
def test_a_target_of_make_in_a_sentence_exists(page: str) -> None:
    targets = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = {word for code in _inline(page) for call in _calls(code, "make") for word in call if not re.match(r"-|[A-Z_]+=", word)}
    assert named - targets == set()


@pytest.mark.parametrize("page", EVERY_PAGE)
def test_a_module_that_a_sentence_runs_and_a_folder_that_it_applies_exist(page: str) -> None:
    codes = _inline(page)
    modules = {module for code in codes for module in re.findall(r"python -m ((?:tools|bench)[\w.]*)", code)}
    folders = {folder for code in codes for folder in re.findall(r"kubectl apply -k (manifests/\S+)", code)}
    missing = [module for module in modules if not Path(ROOT, *module.split(".")).with_suffix(".py").exists()]
    assert missing + [folder for folder in folders if not (ROOT / folder / "kustomization.yaml").exists()] == []


def test_the_commands_of_every_page_that_has_some_are_run() -> None:
    """By tests/acceptance/test_readme.py, as they are written."""
    assert [page for page in EVERY_PAGE if page not in PAGES and list(commands(page))] == []


@pytest.mark.parametrize(
    "text",
    ["percard chek a.yaml", "make test && percard check --stritc a.yaml", "A=1 percard fix --output=a", "kubectl get pods | percard -x"],
)
def test_what_does_not_exist_is_noticed(text: str) -> None:
    assert [unknown for call in _percard(text) if (unknown := _unknown(call))] != []
