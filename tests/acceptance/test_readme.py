"""README and the pages beside it: every command in them works as written, and what they count and list is so."""

import json
import re
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml

from tests.acceptance.reader import HANG_GUARD_SECONDS, PAGES, Command, blocks, commands, environment, readers_copy, run
from tests.acceptance.workcopy import ROOT
from webhook import build_engine
from webhook.lint.output import format_names

# The same command on two pages is one; order matters to those of the API alone, which have a test of their own.
COMMANDS = list({command.text: command for page in PAGES for command in commands(page)}.values())
SERVING = [command for command in COMMANDS if " serve " in command.text]
ENDING = [command for command in COMMANDS if command not in SERVING and command.page != "docs/api.md"]
# No port that others may use, and no wait for requests that cannot come.
SERVE_SETTINGS = {"PERCARD_SERVE__PORT": "0", "PERCARD_SERVE__OPS_PORT": "0", "PERCARD_SERVE__QUIET_PERIOD": "0s"}


def name(command: Command) -> str:
    return f"{command.page}: {command.text.partition(chr(10))[0]}"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return readers_copy(tmp_path_factory.mktemp("reader"))


@pytest.mark.parametrize("command", ENDING, ids=name)
def test_a_command_works_as_written(copy: Path, command: Command) -> None:
    template = copy / "deploy/charts/template.yaml"
    template.unlink(missing_ok=True)
    if "charts/" in command.text:
        template.write_text("volcano.sh/gpu-num: {{ .Values.cards }}\n", encoding="utf-8")
    if "--baseline" in command.text:
        run(copy, ".venv/bin/percard baseline deploy/ > percard-baseline.json")
    if "kubectl" in command.text and "deploy/percard" in command.text:
        _write_overlay(copy)
    elif command.text.startswith("cat > deploy/percard/"):
        (copy / "deploy/percard").mkdir(parents=True, exist_ok=True)  # the page makes it one command before; tests run in any order
    # This test is part of `make test`, and there is no cluster: here make and doctor only say what they would do.
    dry = {"MAKEFLAGS": "n"} if command.text.startswith("make ") else {}
    text = f"{command.text} --help" if command.text.endswith(" doctor") else command.text
    done = run(copy, text, **dry)
    if command.output is None:
        assert done.returncode == 0, done.stdout + done.stderr
    else:
        assert done.stdout == command.output
        assert done.returncode == 1
    assert "Traceback" not in done.stderr


def _write_overlay(copy: Path) -> None:
    """Write the overlay of the page on installation, as the page does."""
    for command in commands("docs/install.md"):
        if command.text.startswith(("mkdir", "cat >")):
            assert run(copy, command.text).returncode == 0


def test_the_overlay_of_a_reader_stands_on_a_shipped_one_and_names_the_image_of_the_manifests(copy: Path) -> None:
    _write_overlay(copy)
    overlay = yaml.safe_load((copy / "deploy/percard/kustomization.yaml").read_text(encoding="utf-8"))
    assert [(copy / "deploy/percard" / path / "kustomization.yaml").exists() for path in overlay["resources"]] == [True]
    (image,) = overlay["images"]
    deployments = [ROOT / f"manifests/base/{part}/deployment.yaml" for part in ("server", "certs")]
    shipped = {yaml.safe_load(file.read_text("utf-8"))["spec"]["template"]["spec"]["containers"][0]["image"] for file in deployments}
    assert shipped == {f"{image['name']}:{image['newTag']}"}
    built = {command.text.split()[-2] for command in COMMANDS if command.text.startswith("docker build")}
    assert built == {f"{image['newName']}:{image['newTag']}"}


@contextmanager
def served(copy: Path, command: str) -> Iterator[dict[str, int]]:
    """Run a server and yield what its line "serving" says; it must end well."""
    arguments = shlex.split(command)
    with subprocess.Popen(arguments, cwd=copy, env=environment(copy) | SERVE_SETTINGS, stderr=subprocess.PIPE, text=True) as process:
        lines = []
        for line in process.stderr or ():
            lines.append(line)
            if '"serving"' in line:
                yield json.loads(line)
                break
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=HANG_GUARD_SECONDS)
    assert process.returncode == 0, lines
    assert '"serving"' in lines[-1]


@pytest.mark.parametrize("command", SERVING, ids=name)
def test_a_server_starts_as_written_and_ends_well(copy: Path, command: Command) -> None:
    with served(copy, command.text) as line:
        assert line["port"]


@pytest.mark.skipif(shutil.which("curl") is None, reason="the page on the API asks by curl")
def test_the_api_answers_what_its_page_asks(copy: Path) -> None:
    (serve, *asks) = [command.text for command in commands("docs/api.md")]
    with served(copy, serve) as line:
        texts = [ask.replace(":8443/", f":{line['port']}/").replace(":8080/", f":{line['ops_port']}/") for ask in asks]
        answers = [run(copy, text) for text in texts]
    assert [answer.returncode for answer in answers] == [0] * len(asks)
    checked, explained = (json.loads(answer.stdout) for answer in answers if answer.stdout)
    assert checked["summary"] == {"documents": 1, "pods": 1, "errors": 0, "warnings": 0}
    # 64 blocks of 128 MiB over two cards
    assert explained["pods"][0]["containers"][0]["perCard"]["memoryMiB"] == 4096


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


def test_readme_leads_to_every_page() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    assert [page.name for page in pages if page.name != "README.md" and f"]({page.relative_to(ROOT)})" not in text] == []


def test_the_reports_that_the_page_on_ci_lists_are_those_that_exist() -> None:
    text = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
    listed = re.search(r"^Reports: (.*?)\. Several", text, re.MULTILINE)
    assert listed is not None
    assert sorted(re.findall(r"`(\w+)`", listed[1])) == sorted(format_names())


def test_every_yaml_block_of_a_page_is_yaml() -> None:
    assert all(isinstance(yaml.safe_load(block), (dict, list)) for page in PAGES for block in blocks(page, "yaml"))


def test_every_example_that_a_page_names_is_there() -> None:
    named = [path for page in PAGES for path in re.findall(r"manifests/examples/[\w./-]+\.yaml", (ROOT / page).read_text(encoding="utf-8"))]
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_page_on_installation_names_the_entries_of_the_shipped_configurations() -> None:
    text = (ROOT / "docs/install.md").read_text(encoding="utf-8")
    shipped = {
        entry["name"]
        for kind in ("mutating", "validating")
        for entry in yaml.safe_load((ROOT / f"manifests/base/webhooks/{kind}.yaml").read_text(encoding="utf-8"))["webhooks"]
    }
    named = set(re.findall(r"`([a-z.-]+\.percard\.webhook)`", text))
    assert named <= shipped
    assert {entry for entry in shipped if ".warn." not in entry and ".audit." not in entry} <= named
