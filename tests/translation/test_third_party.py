"""Somebody else's dialect, read and written, is one file and one golden folder."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DIALECT = '''"""Example vendor: slices of 256 MiB on each card."""

from webhook.core.counting import read_counted_shares
from webhook.core.plugin import Dialect
from webhook.core.portions import Grant
from webhook.core.share import GpuPod
from webhook.core.writing import Draft


def _read(gpu: GpuPod) -> None:
    read_counted_shares(gpu)


def _write(draft: Draft) -> None:
    for portion in draft.portions:
        if portion.whole:
            draft.give(portion, {"example.com/cards": portion.cards}, Grant(whole=True))
        else:
            draft.share(portion)


DIALECT = Dialect(
    id="example",
    title="Example",
    page=__doc__,
    resources={"cards": "example.com/cards", "memory": "example.com/slices", "core": "example.com/core"},
    families=("example.com/",),
    amounts_per_card=True,
    full_compute_is_whole_card=False,
    resource_sets=(frozenset({"cards"}), frozenset({"cards", "memory"}), frozenset({"cards", "memory", "core"})),
    read=_read,
    write=_write,
    enabled=False,
    scheduler_name="example-scheduler",
    memory_units_mib=(256,),
    memory_unit_mib=256,
    memory_step_mib=256,
    memory_min_mib=256,
)
'''
POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: trial
spec:
  schedulerName: {scheduler}
  containers:
    - name: app
      image: registry.example/app:1
      resources:
        limits: {{{amounts}}}
        requests: {{{amounts}}}
"""
# 1000 MiB on each card are four slices of 256 MiB: 1024.
GOLDENS = {
    "from-two-cards.yaml": POD.format(
        scheduler="hami-scheduler", amounts="nvidia.com/gpu: 2, nvidia.com/gpumem: 1000, nvidia.com/gpucores: 15"
    ),
    "from-two-cards.expect.txt": "# rounded: 1000 MiB becomes 1024 MiB: steps of 256 MiB per card, 2 cards\n"
    + POD.format(scheduler="example-scheduler", amounts="example.com/cards: 2, example.com/slices: 4, example.com/core: 15"),
    "to-another.yaml": POD.format(scheduler="example-scheduler", amounts="example.com/cards: 2, example.com/slices: 4"),
    "to-another.expect.txt": POD.format(scheduler="hami-scheduler", amounts="nvidia.com/gpu: 2, nvidia.com/gpumem: 1024"),
}
RUNNER = """
from pathlib import Path
from tests.translation.goldens import converted, goldens
from webhook.wiring import build_translator

for golden in goldens(Path("golden")):
    expected, output = golden.expected.read_text(encoding="utf-8"), converted(build_translator(), golden)
    assert expected == output, output
    print(golden.name)
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "webhook", tmp_path / "webhook", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "webhook/dialects/example.py").write_text(DIALECT, encoding="utf-8")
    return tmp_path


def _python(copy: Path, *arguments: str, stdin: str = "", **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PERCARD_")}
    environment |= {"PYTHONPATH": f"{copy}{os.pathsep}{ROOT}", **settings}
    return subprocess.run([sys.executable, *arguments], cwd=copy, env=environment, input=stdin, capture_output=True, text=True, check=False)


def test_a_golden_folder_holds_what_it_reads_and_writes(copy: Path) -> None:
    folder = copy / "golden" / "example"
    folder.mkdir(parents=True)
    for name, text in GOLDENS.items():
        (folder / name).write_text(text, encoding="utf-8")
    done = _python(copy, "-c", RUNNER)
    assert (done.returncode, done.stdout.split()) == (0, ["example/from-two-cards.yaml", "example/to-another.yaml"]), done.stderr


def test_percard_converts_into_it_and_reports_on_it(copy: Path) -> None:
    done = _python(copy, "-m", "webhook.cli", "convert", "--to", "example", "-", stdin=GOLDENS["from-two-cards.yaml"])
    assert (done.returncode, "example.com/slices: 4" in done.stdout) == (0, True), done.stderr
    report = _python(copy, "-m", "webhook.cli", "convert", "--report", "-o", "json", "-", stdin=GOLDENS["from-two-cards.yaml"])
    assert {row["target"]: row["outcome"] for row in json.loads(report.stdout)["pods"]}["example"] == "rounded"


def test_it_is_judged_where_it_is_enabled_and_can_be_the_target(copy: Path) -> None:
    odd = GOLDENS["to-another.yaml"].replace("example.com/cards: 2", "example.com/cards: 65")
    assert _python(copy, "-m", "webhook.cli", "check", "-", stdin=odd).returncode == 0
    done = _python(copy, "-m", "webhook.cli", "check", "-", stdin=odd, PERCARD_DIALECTS__EXAMPLE__ENABLED="true")
    assert (done.returncode, "[card-count]" in done.stdout) == (1, True), done.stderr
    vendor = POD.format(scheduler="volcano", amounts="volcano.sh/gpu-mem.128Mi: 8")
    done = _python(copy, "-m", "webhook.cli", "patch", "-", stdin=vendor, PERCARD_TARGET="example")
    assert (done.returncode, "example.com/slices: 4" in done.stdout) == (0, True), done.stderr
