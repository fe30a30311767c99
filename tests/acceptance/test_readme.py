"""README and the quick starts: every command in them works as written, and what they count and list is so."""

import re
import shlex
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import trustme
import yaml

from tests.acceptance.workcopy import ROOT, clean_environment, work_copy
from webhook import build_engine
from webhook.admission.scope import ENDPOINTS
from webhook.lint.output import format_names

PAGES = ("README.md", "docs/ci.md", "docs/cluster.md")
HANG_GUARD_SECONDS = 120
_BLOCK = re.compile(r"^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
# What a reader has: a manifest, a folder of them, an overlay, a key pair, kubectl.
KUBECTL = """#!/bin/sh
case "$1" in
get|kustomize) cat deployment.yaml ;; percard) shift; exec .venv/bin/percard "$@" ;;
apply) [ "$2" = -f ] && cat "$3" > applied.yaml ;;
*) exit 64 ;;
esac
"""


class Command(NamedTuple):
    page: str
    text: str
    output: str | None = None


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return [block["text"] for block in _BLOCK.finditer(text) if block["language"] == language]


def commands() -> Iterator[Command]:
    for page in PAGES:
        for block in blocks(page, "sh"):
            yield from (Command(page, line) for line in block.splitlines() if line and not line.startswith("#"))
        for block in blocks(page, "console"):
            line, _, output = block.partition("\n")
            assert line.startswith("$ ")
            yield Command(page, line[2:], output)


COMMANDS = list(dict.fromkeys(commands()))
SERVING = [command for command in COMMANDS if " serve " in command.text]
ENDING = [command for command in COMMANDS if command not in SERVING]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reader")
    copy = work_copy(folder)
    example = (copy / "manifests/examples/huawei/without-scheduler.yaml").read_text(encoding="utf-8")
    (copy / "deploy" / "charts").mkdir(parents=True)
    for file in ("deployment.yaml", "deploy/app.yaml"):
        (copy / file).write_text(example, encoding="utf-8")
    (copy / "overlays" / "production").mkdir(parents=True)
    (settings,) = (block for block in blocks("docs/ci.md", "yaml") if block.startswith("# percard.yaml"))
    (copy / "percard.yaml").write_text(settings, encoding="utf-8")
    pair = trustme.CA().issue_cert("percard.percard.svc")
    pair.cert_chain_pems[0].write_to_path(copy / "tls.crt")
    pair.private_key_pem.write_to_path(copy / "tls.key")
    (folder / "bin").mkdir()
    (folder / "bin" / "kubectl").write_text(KUBECTL, encoding="utf-8")
    (folder / "bin" / "kubectl").chmod(0o755)
    return copy


def environment(copy: Path) -> dict[str, str]:
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


@pytest.mark.parametrize("command", ENDING, ids=lambda command: f"{command.page}: {command.text}")
def test_a_command_works_as_written(copy: Path, command: Command) -> None:
    template = copy / "deploy/charts/template.yaml"
    template.unlink(missing_ok=True)
    if "charts/" in command.text:
        template.write_text("volcano.sh/gpu-num: {{ .Values.cards }}\n", encoding="utf-8")
    # This test is part of `make test`: here make only says what it would run.
    dry = {"MAKEFLAGS": "n"} if command.text == "make test" else {}
    done = run(copy, command.text, **dry)
    if command.output is None:
        assert done.returncode == 0, done.stdout + done.stderr
    else:
        assert done.stdout == command.output
        assert done.returncode == 1
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", SERVING, ids=lambda command: f"{command.page}: {command.text}")
def test_a_server_starts_as_written_and_ends_well(copy: Path, command: Command) -> None:
    # Ports that nobody uses, and no wait for requests that cannot come.
    settings = {"PERCARD_SERVE__PORT": "0", "PERCARD_SERVE__OPS_PORT": "0", "PERCARD_SERVE__QUIET_PERIOD": "0s"}
    with subprocess.Popen(
        shlex.split(command.text), cwd=copy, env=environment(copy) | settings, stderr=subprocess.PIPE, text=True
    ) as process:
        lines = []
        for line in process.stderr or ():
            lines.append(line)
            if '"serving"' in line:
                break
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=HANG_GUARD_SECONDS)
    assert process.returncode == 0, lines


def test_what_is_piped_into_kubectl_carries_scheduler_and_limits(copy: Path) -> None:
    (command,) = (command.text for command in COMMANDS if "percard patch" in command.text)
    assert run(copy, command).returncode == 0
    template = yaml.safe_load((copy / "applied.yaml").read_text(encoding="utf-8"))["spec"]["template"]
    assert template["spec"]["schedulerName"] == "volcano"
    assert '"memoryMiB":4096' in template["metadata"]["annotations"]["percard.webhook/limits"]


def test_a_bad_manifest_never_reaches_kubectl(copy: Path) -> None:
    (command,) = (command.text for command in COMMANDS if "&& kubectl apply" in command.text)
    (copy / "applied.yaml").unlink(missing_ok=True)
    bad = command.replace("deployment.yaml", "manifests/examples/huawei/uneven-memory.yaml")
    assert run(copy, bad).returncode == 1
    assert not (copy / "applied.yaml").exists()


def test_the_reports_of_the_quick_start_are_written(copy: Path) -> None:
    for command in (command.text for command in COMMANDS if "-o text" in command.text):
        files = re.findall(r"-o \w+=(\S+)", command)
        assert files
        for file in files:
            (copy / file).unlink(missing_ok=True)
        run(copy, command)
        assert [file for file in files if not (copy / file).stat().st_size] == []


def test_readme_knows_every_check_command_and_key() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    engine = build_engine()
    assert f"{len(engine.checks)} rules are checked" in text
    commands = sorted(file.stem for file in (ROOT / "webhook/cli/commands").glob("*.py") if file.stem != "__init__")
    listed = re.search(r"^`percard check`(.*?); each has", text, re.MULTILINE | re.DOTALL)
    assert listed is not None
    assert sorted(["check", *re.findall(r"`(\w+)`", listed[1])]) == commands
    for dialect in engine.dialects:
        keys = {key for role, key in dialect.resources.items() if role != "tflops"} | {dialect.count_key}
        if not dialect.compute_over_several_cards:
            keys.discard(dialect.resources["core"])
        assert [key for key in keys if f"`{key}`" not in text] == []


def test_the_reports_that_the_page_on_ci_lists_are_those_that_exist() -> None:
    text = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
    listed = re.search(r"^Reports: (.*?)\. Several", text, re.MULTILINE)
    assert listed is not None
    assert sorted(re.findall(r"`(\w+)`", listed[1])) == sorted(format_names())


def test_every_yaml_block_of_a_page_is_yaml() -> None:
    assert all(isinstance(yaml.safe_load(block), dict) for page in PAGES for block in blocks(page, "yaml"))


def test_the_webhook_configurations_name_paths_that_are_answered() -> None:
    configurations: list[dict[str, Any]] = [yaml.safe_load(block) for block in blocks("docs/cluster.md", "yaml")]
    webhooks = {configuration["kind"]: configuration["webhooks"] for configuration in configurations}
    assert webhooks.keys() == {"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"}
    for webhook in (*webhooks["MutatingWebhookConfiguration"], *webhooks["ValidatingWebhookConfiguration"]):
        assert webhook["clientConfig"]["service"]["path"].removeprefix("/") in ENDPOINTS
        assert webhook["sideEffects"] == "None"
        assert webhook["admissionReviewVersions"] == ["v1"]
        assert all("/" not in resource for rule in webhook["rules"] for resource in rule["resources"])
    (mutating,) = webhooks["MutatingWebhookConfiguration"]
    assert [(rule["resources"], rule["operations"]) for rule in mutating["rules"]] == [(["pods"], ["CREATE"])]


def test_every_example_that_a_page_names_is_there() -> None:
    named = [path for page in PAGES for path in re.findall(r"manifests/examples/[\w./-]+\.yaml", (ROOT / page).read_text(encoding="utf-8"))]
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []
