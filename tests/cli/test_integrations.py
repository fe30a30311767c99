"""The pre-commit hooks, the Action and the recipes of docs/ci.md, each run as it is written."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.program import ROOT, run
from tests.lint.manifests import bad_pod, good_pod

HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
_EXPRESSION = re.compile(r"\$\{\{ (.+?) \}\}")
_BLOCK = re.compile(r"^```yaml\n# (?P<name>\S+?),?(?: [^\n]*)?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def _recipes(name: str) -> list[dict[str, Any]]:
    """Return the YAML blocks of docs/ci.md that are the file `name`."""
    page = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
    return [yaml.safe_load(block["text"]) for block in _BLOCK.finditer(page) if block["name"] == name]


def _break(folder: Path) -> None:
    (folder / "deploy" / "a.yaml").write_text(bad_pod(), encoding="utf-8")


def test_the_hooks_are_what_pre_commit_takes() -> None:
    assert [hook["id"] for hook in HOOKS] == ["percard", "percard-fix"]
    for hook in HOOKS:
        assert hook.keys() == {"id", "name", "description", "entry", "language", "types_or"}
        assert (hook["language"], hook["types_or"]) == ("python", ["yaml", "json"])


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_passes_good_files_and_fails_on_bad_ones(folder: Path, hook: dict[str, Any]) -> None:
    # pre-commit adds the names of the files that changed.
    entry = f"{hook['entry']} deploy/a.yaml 'deploy/sub/b c.yaml'"
    assert run(folder, entry).returncode == 0
    _break(folder)
    before = (folder / "deploy" / "a.yaml").read_text(encoding="utf-8")
    done = run(folder, entry)
    # A hook fails by its exit code, or by changing a file.
    assert done.returncode == 1 or (folder / "deploy" / "a.yaml").read_text(encoding="utf-8") != before


def test_the_recipe_of_pre_commit_names_hooks_that_exist() -> None:
    (recipe,) = _recipes(".pre-commit-config.yaml")
    assert {hook["id"] for repo in recipe["repos"] for hook in repo["hooks"]} == {hook["id"] for hook in HOOKS}


def _steps(folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run the Action's steps as a runner does: inputs by their defaults, expressions in `env` replaced."""
    values = {f"inputs.{name}": inputs.get(name, given["default"]) for name, given in ACTION["inputs"].items()}
    values["github.action_path"] = str(folder / ".percard")
    setup, check = ACTION["runs"]["steps"]
    assert setup["run"] == 'make -C "$ACTION_FOLDER" setup'
    variables = {name: _EXPRESSION.sub(lambda match: values[match[1]], text) for name, text in check["env"].items()}
    return run(folder, check["run"], **variables, GITHUB_STEP_SUMMARY=str(folder / "summary.md"))


def test_the_action_is_composite_and_keeps_inputs_out_of_its_scripts() -> None:
    assert ACTION["runs"]["using"] == "composite"
    for step in ACTION["runs"]["steps"]:
        assert step.keys() == {"name", "shell", "run", "env"}
        assert (step["shell"], _EXPRESSION.findall(step["run"])) == ("bash", [])
        assert not [name for name in step["env"] if name.startswith("PERCARD_")]
    assert all(given.keys() == {"description", "default"} for given in ACTION["inputs"].values())


def test_the_action_passes_a_good_repository_and_writes_the_summary(folder: Path) -> None:
    done = _steps(folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (folder / "summary.md").read_text(encoding="utf-8").startswith("## percard: 0 errors, 0 warnings\n")


def test_the_action_annotates_a_bad_repository(folder: Path) -> None:
    _break(folder)
    done = _steps(folder, paths="deploy/\nclusters/\n", sarif="percard.sarif")
    assert done.returncode == 1
    assert done.stdout.startswith(
        "::error file=deploy/a.yaml,title=percard%3A memory-step,line=15,endLine=15,col=37,endColumn=40::container"
    )
    assert "memory-step" in (folder / "summary.md").read_text(encoding="utf-8")
    assert (folder / "percard.sarif").exists()


def test_the_inputs_of_the_action_count(folder: Path) -> None:
    _break(folder)
    (folder / "percard.yaml").write_text("checks: {memory_step: {severity: warning}}\n", encoding="utf-8")
    (folder / "known.json").write_text(run(folder, "percard baseline .").stdout, encoding="utf-8")
    assert _steps(folder, exclude="vendor/\na.*\n").returncode == 0
    assert _steps(folder, baseline="known.json").returncode == 0
    assert _steps(folder, config="percard.yaml").returncode == 0
    assert _steps(folder, config="percard.yaml", strict="true").returncode == 1


def test_an_input_of_the_action_is_no_code(folder: Path) -> None:
    done = _steps(folder, paths='$(touch owned)\n"; touch owned; "\n--version\n')
    assert (done.returncode, (folder / "owned").exists()) == (3, False)


def test_the_recipe_of_the_action_names_inputs_that_exist(folder: Path) -> None:
    (recipe,) = _recipes(".github/workflows/gpu-shares.yaml")
    *_, step = recipe["jobs"]["percard"]["steps"]
    assert step["with"].keys() <= ACTION["inputs"].keys()
    assert _steps(folder, **step["with"]).returncode == 0
    _break(folder)
    assert _steps(folder, **step["with"]).returncode == 1


def test_the_recipe_of_gitlab(folder: Path) -> None:
    job = _recipes(".gitlab-ci.yml")[0]["gpu-shares"]
    clone, setup, check = job["script"]
    assert clone.startswith("git clone ")
    assert setup == "make -C .percard setup"
    assert run(folder, check).returncode == 0
    _break(folder)
    assert run(folder, check).returncode == 1
    for report in job["artifacts"]["reports"].values():
        assert "memory-step" in (folder / report).read_text(encoding="utf-8")


def test_the_recipe_of_flux(folder: Path) -> None:
    (script,) = _recipes(".gitlab-ci.yml")[1]["flux-shares"]["script"]
    assert run(folder, script, RENDERED="deploy/a.yaml").returncode == 0
    _break(folder)
    assert run(folder, script, RENDERED="deploy/a.yaml").returncode == 1


def test_the_plugin_of_argo_cd(folder: Path) -> None:
    (plugin,) = _recipes("plugin.yaml")
    generate = plugin["spec"]["generate"]
    shell, (script,) = generate["command"], generate["args"]
    good = run(folder, script, *shell, RENDERED="deploy/a.yaml", TMPDIR=str(folder))
    assert (good.returncode, good.stdout) == (0, good_pod())
    _break(folder)
    bad = run(folder, script, *shell, RENDERED="deploy/a.yaml", TMPDIR=str(folder))
    # A plugin that fails must have printed no manifest, and its message is what is on stderr.
    assert (bad.returncode, bad.stdout, "[memory-step]" in bad.stderr) == (1, "", True)
    assert list(folder.glob("tmp*")) == []
