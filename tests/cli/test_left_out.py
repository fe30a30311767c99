"""What is written for a stack that is known but off is not passed over in silence."""

from pathlib import Path

import pytest

from tests.cli.program import percard
from tests.lint.manifests import PLAIN, good_pod

HAMI = (
    good_pod()
    .replace("volcano.sh/gpu-num", "team")
    .replace("volcano.sh/gpu-mem.128Mi", "nvidia.com/gpumem")
    .replace("volcano", "default-scheduler")
)
VGPU = HAMI.replace("nvidia.com/gpumem", "volcano.sh/vgpu-memory")


def _told(files: str, dialect: str) -> str:
    wanted = f"set dialects.{dialect}.enabled to true, or PERCARD_DIALECTS__{dialect.upper()}__ENABLED=true"
    return f"percard: {files} keys of {dialect}, which is off and not judged; {wanted}\n"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_dialects_that_are_off_are_told_once_with_the_number_of_files(tmp_path: Path, jobs: str) -> None:
    for number in range(70):
        (tmp_path / f"{number}.yaml").write_text(HAMI if number % 35 == 0 else PLAIN, encoding="utf-8")
    (tmp_path / "more.yaml").write_text(f"{VGPU}---\n{VGPU}", encoding="utf-8")
    answer = percard("check", "-j", jobs, ".", cwd=tmp_path)
    assert (answer.returncode, answer.stderr) == (0, _told("2 files mention", "hami") + _told("1 file mentions", "volcano_vgpu"))


@pytest.mark.parametrize("text", [HAMI, HAMI.replace("\n", "\r\n")], ids=["plain", "CRLF"])
def test_standard_input_is_looked_at_too(text: str) -> None:
    assert percard("check", "-", stdin=text).stderr == _told("1 file mentions", "hami")


def test_a_dialect_that_is_on_is_judged_instead() -> None:
    answer = percard("check", "-", stdin=HAMI, PERCARD_DIALECTS__HAMI__ENABLED="true")
    assert "1 GPU pod" in answer.stdout
    assert answer.stderr == ""


@pytest.mark.parametrize("text", ["a: nvidia.com/gpu\n", "gpu-memory: 1\n", "# about hami\n"], ids=["whole cards", "a bare word", "a name"])
def test_words_that_may_mean_anything_are_no_keys(text: str) -> None:
    assert "which is off" not in percard("check", "-", stdin=text).stderr
