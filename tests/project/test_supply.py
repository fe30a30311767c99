"""What the image holds: each package's licence is one that was looked at, and the list of them is whole."""

import json
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

from tools import sbom

ROOT = Path(__file__).resolve().parents[2]
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
_PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^ \\]+)( ; )?", re.MULTILINE)
PINS = {name: version for name, version, _ in _PIN.findall(LOCK)}
# Those that another platform or Python needs.
CONDITIONAL = {name for name, _, condition in _PIN.findall(LOCK) if condition}
PROGRAM = Path(sys.executable).with_name("pip-licenses")


def _licences(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [PROGRAM, "--format", "json", "--packages", *PINS]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def _is_installed(name: str) -> bool:
    try:
        return bool(metadata.version(name) == PINS[name])
    except metadata.PackageNotFoundError:
        return name in CONDITIONAL


def test_every_package_of_the_image_is_here_to_be_looked_at() -> None:
    assert [name for name in PINS if not _is_installed(name)] == []


def test_every_licence_of_the_image_was_looked_at() -> None:
    answer = _licences(ROOT)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert len(json.loads(answer.stdout)) >= len(PINS) - len(CONDITIONAL)


def test_a_licence_that_nobody_looked_at_is_found(tmp_path: Path) -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(text.replace("Mozilla Public License 2.0 (MPL 2.0);", ""), encoding="utf-8")
    answer = _licences(tmp_path)
    assert answer.returncode == 1
    assert "Mozilla Public License 2.0 (MPL 2.0) not in allow-only licenses" in answer.stderr + answer.stdout


def test_no_licence_stands_in_the_list_for_nothing() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition('allow-only = """')[2].partition('"""')[0]
    allowed = {licence for licence in text.replace("\\\n", "").split(";") if licence}
    met = {part for package in json.loads(_licences(ROOT).stdout) for part in package["License"].split("; ")}
    assert allowed - met == set()


def test_the_list_of_what_is_installed_names_each_with_version_and_licence_and_nothing_of_this_machine(tmp_path: Path) -> None:
    """From the environment that runs the tests; `make sbom` makes one of the lock alone, for which it needs a package index."""
    sbom.describe(Path(sys.executable), tmp_path / "sbom.json")
    text = (tmp_path / "sbom.json").read_text(encoding="utf-8")
    listed = {re.sub(r"[-_.]+", "-", part["name"]).lower(): part for part in json.loads(text)["components"]}
    for name, version in PINS.items():
        if name not in CONDITIONAL:
            assert listed[name]["version"] == version
            assert listed[name]["licenses"]
    assert ("serialNumber" in json.loads(text), "timestamp" in json.loads(text)["metadata"]) == (False, False)


def test_the_page_counts_the_packages_of_the_image() -> None:
    text = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")
    assert re.findall(r"\b([0-9]+) packages", text.partition("## Supply chain")[2]) == [str(len(PINS))] * 2


def _zizmor(file: Path, *options: str) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("zizmor")
    return subprocess.run([program, "--offline", "--quiet", *options, file], capture_output=True, text=True, check=False)


def test_the_action_has_no_finding_of_the_strictest_kind() -> None:
    answer = _zizmor(ROOT / "action.yml", "--persona", "auditor")
    assert answer.returncode == 0, answer.stdout


def test_the_workflow_that_the_pages_show_names_its_actions_by_commits(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"^```yaml\n(# \.github/workflows.*?)^```", text, re.DOTALL | re.MULTILINE)
    workflow = tmp_path / ".github" / "workflows" / "shown.yml"
    workflow.parent.mkdir(parents=True)
    for content, code in ((shown, 0), (re.sub(r"@[0-9a-f]{40}", "@v4", shown), 14)):
        workflow.write_text(content, encoding="utf-8")
        answer = _zizmor(workflow)
        assert answer.returncode == code, answer.stdout
