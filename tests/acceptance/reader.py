"""What a reader of the pages has and types: their commands, a copy of the project, stand-ins for programs that need a cluster."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import trustme

from tests.acceptance.workcopy import ROOT, clean_environment, work_copy

PAGES = (
    "README.md",
    "docs/zh/README.md",
    *(f"docs/{name}.md" for name in ("api", "ci", "fix", "install", "policies", "upgrade")),
    "CONTRIBUTING.md",
)
HANG_GUARD_SECONDS = 120
_BLOCK = re.compile(r"^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_HEREDOC = re.compile(r"<<'(\w+)'$")
# They know the commands that the pages show, and that what these name is there.
KUBECTL = """#!/bin/sh
there() { [ -f "$1/kustomization.yaml" ]; }
case "$*" in
get\\ *|kustomize\\ *) cat deployment.yaml ;;
percard\\ *) shift; exec .venv/bin/percard "$@" ;;
"apply -f -"|"apply -f deployment.yaml"|"apply -f - --prune -l "*) cat "$3" > applied.yaml ;;
"apply --dry-run=server -f "*) [ -f "$4" ] ;;
"apply -k "*|"diff -k "*|"delete -k "*) there "$3" ;;
"-n percard-system rollout status deployment/percard"|"delete mutatingwebhookconfiguration percard") ;;
"delete validatingadmissionpolicybindings -l app.kubernetes.io/name=percard") ;;
*) exit 64 ;;
esac
"""
DOCKER = """#!/bin/sh
case "$1" in
build) for folder; do :; done; [ -f "$folder/Dockerfile" ] ;;
push) ;;
*) exit 64 ;;
esac
"""


class Command(NamedTuple):
    """A command line of a page, with what it prints where the page says so."""

    page: str
    text: str
    output: str | None = None


def blocks(page: str, language: str) -> list[str]:
    """Return the fenced blocks of a page that are in a language."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [block["text"] for block in _BLOCK.finditer(text) if block["language"] == language]


def _lines(block: str) -> Iterator[str]:
    """Yield the command lines of a block, each with the text that it is given."""
    lines = iter(block.splitlines())
    for line in lines:
        here = _HEREDOC.search(line)
        if here is not None:
            rest = list(iter(lines.__next__, here[1]))
            yield "\n".join([line, *rest, here[1]])
        elif line and not line.startswith("#"):
            yield line


def commands(page: str) -> Iterator[Command]:
    """Yield the commands of a page, top to bottom."""
    for block in blocks(page, "sh"):
        yield from (Command(page, line) for line in _lines(block))
    for block in blocks(page, "console"):
        line, _, output = block.partition("\n")
        assert line.startswith("$ ")
        yield Command(page, line[2:], output)


def readers_copy(folder: Path) -> Path:
    """Return a copy of the project, with what the pages take for granted: manifests, an overlay, settings, a key pair."""
    copy = work_copy(folder)
    example = (copy / "manifests/examples/huawei/without-scheduler.yaml").read_text(encoding="utf-8")
    (copy / "deploy" / "charts").mkdir(parents=True)
    for file in ("deployment.yaml", "deploy/app.yaml"):
        (copy / file).write_text(example, encoding="utf-8")
    (copy / "overlays" / "production").mkdir(parents=True)
    (settings,) = (block for block in blocks("docs/ci.md", "yaml") if block.startswith("# percard.yaml"))
    for file in ("percard.yaml", "settings.yaml"):
        (copy / file).write_text(settings, encoding="utf-8")
    pair = trustme.CA().issue_cert("percard.percard-system.svc")
    pair.cert_chain_pems[0].write_to_path(copy / "tls.crt")
    pair.private_key_pem.write_to_path(copy / "tls.key")
    (folder / "bin").mkdir()
    for name, text in (("kubectl", KUBECTL), ("docker", DOCKER)):
        (folder / "bin" / name).write_text(text, encoding="utf-8")
        (folder / "bin" / name).chmod(0o755)
    return copy


def environment(copy: Path) -> dict[str, str]:
    """Return the variables of a reader's shell, in which the stand-ins come first."""
    variables = clean_environment(copy.parent)
    return variables | {"PATH": f"{copy.parent / 'bin'}:{variables['PATH']}"}


def run(copy: Path, command: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command line as bash does, where every part of a pipe counts."""
    return subprocess.run(
        ["/bin/bash", "-o", "pipefail", "-c", command],
        cwd=copy,
        env=environment(copy) | more,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=HANG_GUARD_SECONDS,
        check=False,
    )
