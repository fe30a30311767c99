"""`percard convert`: manifests in, manifests out, every change told with its arithmetic."""

from pathlib import Path

import pytest
import yaml

from tests.cli.program import percard
from tests.translation.manifests import DEPLOYMENT, HAMI


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "infer.yaml"
    file.write_text(DEPLOYMENT, encoding="utf-8")
    return file


def test_a_manifest_is_edited_where_it_stands_and_keeps_its_comments(file: Path) -> None:
    done = percard("convert", "--to", "hami", file)
    assert (done.returncode, done.stdout, done.stderr) == (0, HAMI, "")
    assert file.read_text(encoding="utf-8") == DEPLOYMENT


def test_there_and_back_is_the_same_manifest(file: Path) -> None:
    hami = percard("convert", "--to", "hami", file).stdout
    back = percard("convert", "--to", "volcengine", "-", stdin=hami)
    assert back.returncode == 0, back.stderr
    was, now = yaml.safe_load(DEPLOYMENT), yaml.safe_load(back.stdout)
    assert now["spec"]["template"]["spec"].pop("schedulerName") == "default-scheduler"
    assert now == was


def test_the_result_passes_the_check_of_a_site_that_enables_the_target(file: Path, tmp_path: Path) -> None:
    (tmp_path / "hami.yaml").write_text(percard("convert", "--to", "hami", file).stdout, encoding="utf-8")
    done = percard("check", tmp_path / "hami.yaml", PERCARD_DIALECTS__HAMI__ENABLED="true")
    assert (done.returncode, done.stderr) == (0, "")


def test_rounding_is_told_with_its_arithmetic(tmp_path: Path) -> None:
    # 7 % on each card becomes 10 %, 4100 MiB become 33 blocks of 128 MiB: 4224 MiB
    source = DEPLOYMENT.replace("mgpu-core: 30", "mgpu-core: 14").replace("8192", "8200")
    (tmp_path / "infer.yaml").write_text(source, encoding="utf-8")
    done = percard("convert", "--to", "huawei", "infer.yaml", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        "infer.yaml:24:47: rounded: container 'app': 14 % becomes 20 %: steps of 5 per card, 2 cards [convert]",
        "infer.yaml:24:47: rounded: container 'app': 8200 MiB becomes 8448 MiB: steps of 128 MiB per card, 2 cards [convert]",
    ]
    limits = yaml.safe_load(done.stdout)["spec"]["template"]["spec"]["containers"][0]["resources"]["limits"]
    assert limits == {"cpu": "2", "volcano.sh/gpu-mem.128Mi": 66, "volcano.sh/gpu-core.percentage": 20}


def test_what_cannot_be_carried_over_is_told_and_left_as_it_is(file: Path) -> None:
    done = percard("convert", "--to", "kai", file)
    assert (done.returncode, done.stdout) == (1, DEPLOYMENT)
    assert f"{file}:24:47: lost: container 'app': 15 % of compute on each card; KAI shares memory only [convert]" in done.stderr


def test_with_allow_loss_it_goes_on_without(file: Path) -> None:
    done = percard("convert", "--to", "kai", "--allow-loss", file)
    assert done.returncode == 0
    assert "# what the team runs" in done.stdout
    template = yaml.safe_load(done.stdout)["spec"]["template"]
    assert template["metadata"]["annotations"] == {"team": "vision", "gpu-memory": "4096", "gpu-fraction-num-devices": "2"}
    assert template["spec"]["containers"][0]["resources"] == {"limits": {"cpu": "2"}, "requests": {"cpu": "2"}}


def test_what_is_impossible_stays_so_with_allow_loss(file: Path) -> None:
    done = percard("convert", "--to", "tencent", "--allow-loss", file)
    assert (done.returncode, done.stdout) == (1, DEPLOYMENT)
    assert "impossible: container 'app': 15 % on each of 2 cards is 30 % in all, which qGPU takes from 1" in done.stderr
