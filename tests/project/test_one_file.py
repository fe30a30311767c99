"""A new dialect, check or output format is one new file: dropped into a copy of the package, it is used."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

DIALECT = '''"""Example vendor: slices of 256 MiB."""

from webhook.core.plugin import Dialect
from webhook.core.reading import read_label_count, read_shares
from webhook.core.share import GpuPod


def _read(gpu: GpuPod) -> None:
    read_shares(gpu)
    read_label_count(gpu)


DIALECT = Dialect(
    id="example",
    title="Example",
    page=__doc__,
    resources={"memory": "example.com/slice-memory", "core": "example.com/slice-core"},
    families=("example.com/slice-",),
    count_key="example.com/cards",
    count_place="labels",
    read=_read,
    memory_units_mib=(256,),
    memory_unit_mib=256,
    memory_step_mib=256,
    memory_min_mib=256,
)
'''

CHECK = '''"""A container that shares GPUs must not be called "forbidden"."""

from collections.abc import Iterator

from webhook.core.finding import Complaint
from webhook.core.plugin import Check
from webhook.core.share import GpuPod


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    for share in gpu.shares:
        if share.name == "forbidden":
            yield Complaint((*share.ask.where, "name"), share.name, "must have another name", container=share.name)


CHECK = Check(id="forbidden-name", page=__doc__, run=_run)
'''

FORMAT = '''"""One line: how many findings."""

from webhook.lint.output import Context, Format
from webhook.lint.report import Report


def render(report: Report, _: Context) -> str:
    return f"{len(report.findings)} found\\n"


FORMAT = Format(name="count", summary="how many findings", render=render)
'''


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "webhook", tmp_path / "webhook", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def _check(copy: Path, manifest: str, output: str = "json") -> subprocess.CompletedProcess[str]:
    (copy / "pod.yaml").write_text(manifest, encoding="utf-8")
    return _percard(copy, "check", "-o", output, "pod.yaml")


def _percard(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PERCARD_")}
    environment["PYTHONPATH"] = str(copy)
    command = [sys.executable, "-m", "webhook.cli", *arguments]
    return subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)


def _pod(name: str, label: str, limits: dict[str, int]) -> str:
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "trial", "labels": {label: "2"}},
        "spec": {"containers": [{"name": name, "image": "example.com/app:1", "resources": {"limits": limits}}]},
    }
    return json.dumps(pod)


@pytest.mark.parametrize(("blocks", "found"), [(4, []), (3, ["memory-step"])], ids=["what divides passes", "what does not divide is found"])
def test_a_dialect_is_one_file(copy: Path, blocks: int, found: list[str]) -> None:
    (copy / "webhook/dialects/example.py").write_text(DIALECT, encoding="utf-8")
    answer = _check(copy, _pod("app", "example.com/cards", {"example.com/slice-memory": blocks, "example.com/slice-core": 20}))
    report = json.loads(answer.stdout)
    assert (report["summary"]["pods"], [finding["check"] for finding in report["findings"]]) == (1, found), answer.stderr
    assert all(finding["dialect"] == "example" for finding in report["findings"])
    assert answer.returncode == (1 if found else 0)


@pytest.mark.parametrize(
    ("name", "found"), [("app", []), ("forbidden", ["forbidden-name"])], ids=["another name passes", "the name is found"]
)
def test_a_check_is_one_file(copy: Path, name: str, found: list[str]) -> None:
    (copy / "webhook/checks/forbidden_name.py").write_text(CHECK, encoding="utf-8")
    answer = _check(copy, _pod(name, "volcano.sh/gpu-num", {"volcano.sh/gpu-mem.128Mi": 64}))
    findings = json.loads(answer.stdout)["findings"]
    assert [(finding["check"], finding["field"]) for finding in findings] == [(check, "spec.containers[0].name") for check in found], (
        answer.stderr
    )
    assert answer.returncode == (1 if found else 0)


def test_the_one_file_of_a_dialect_gives_it_policies_and_that_of_a_check_is_told_to_be_missing_in_them(copy: Path) -> None:
    assert "example.com/slice-memory" not in _percard(copy, "policies").stdout
    (copy / "webhook/dialects/example.py").write_text(DIALECT, encoding="utf-8")
    (copy / "webhook/checks/forbidden_name.py").write_text(CHECK, encoding="utf-8")
    answer = _percard(copy, "policies", "--min-version", "1.36")
    assert "a multiple of 256 MiB on each card" in answer.stdout
    assert answer.stdout.count("example.com/slice-memory") > 1
    assert answer.stderr == "percard: the policies leave out forbidden-name: nobody has written it as an expression yet\n"
    assert answer.returncode == 0


def test_an_output_format_is_one_file(copy: Path) -> None:
    (copy / "webhook/lint/formats/count.py").write_text(FORMAT, encoding="utf-8")
    answer = _check(copy, _pod("app", "volcano.sh/gpu-num", {"volcano.sh/gpu-mem.128Mi": 63}), output="count")
    assert (answer.stdout, answer.returncode) == ("1 found\n", 1), answer.stderr
