"""What meets somebody who uses percard for the first time: nothing ends in silence, and what was meant is found."""

from pathlib import Path

import pytest

from tests.cli.program import percard
from tests.lint.manifests import PLAIN, bad_pod, good_pod

JUDGED = "alibaba, huawei, volcengine"
NOTHING = f"percard: no pod here asks for a share of GPUs in a dialect that is judged ({JUDGED}); `percard dialects` explains them\n"
EVERY_COMMAND = (
    "baseline",
    "check",
    "checks",
    "config",
    "convert",
    "dialects",
    "doctor",
    "explain",
    "fix",
    "patch",
    "policies",
    "review",
    "serve",
)


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """Return a repository in which nothing shares a GPU."""
    (tmp_path / "a.yaml").write_text(PLAIN, encoding="utf-8")
    (tmp_path / "package.json").write_text('{"name": "a"}', encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("command", [["check", "."], ["check", "-o", "github", "."], ["explain", "."], ["patch", "a.yaml"]], ids=" ".join)
def test_a_repository_without_gpu_shares_is_told_that_nothing_was_judged(plain: Path, command: list[str]) -> None:
    answer = percard(*command, cwd=plain)
    assert (answer.returncode, answer.stderr) == (0, NOTHING)


@pytest.mark.parametrize("command", [["check", "."], ["explain", "."], ["patch", "."], ["convert", "--to", "hami", "."]], ids=" ".join)
def test_one_pod_that_shares_is_enough_to_say_nothing_of_the_rest(plain: Path, command: list[str]) -> None:
    (plain / "b.yaml").write_text(good_pod(), encoding="utf-8")
    answer = percard(*command, cwd=plain)
    assert (answer.returncode, answer.stderr) == (0, "")


def test_what_is_found_on_no_pod_is_not_called_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(good_pod().replace("volcano.sh/gpu-mem.128Mi", "memory"), encoding="utf-8")
    answer = percard("check", ".", cwd=tmp_path)
    assert "[misplaced-key]" in answer.stdout
    assert answer.stderr == ""


def test_where_there_is_nothing_to_translate_that_is_told(plain: Path) -> None:
    answer = percard("convert", "--to", "hami", "a.yaml", cwd=plain)
    assert (answer.stdout, answer.returncode) == (PLAIN, 0)
    assert answer.stderr == "percard: nothing to translate: no pod here asks for a share of GPUs in another dialect than hami\n"
    assert percard("convert", "--report", "a.yaml", cwd=plain).stderr.startswith("percard: no pod here asks for a share of GPUs")


@pytest.mark.parametrize("options", [[], ["--diff"]], ids=["in place", "as a difference"])
def test_fix_says_that_there_was_nothing_to_repair(plain: Path, options: list[str]) -> None:
    (plain / "b.yaml").write_text(good_pod(), encoding="utf-8")
    answer = percard("fix", *options, ".", cwd=plain)
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "", "percard: nothing to repair\n")


def test_a_template_is_told_to_be_the_business_of_others(tmp_path: Path) -> None:
    (tmp_path / "chart/templates").mkdir(parents=True)
    (tmp_path / "chart/Chart.yaml").write_text("name: c\n", encoding="utf-8")
    for name in "ab":
        (tmp_path / f"chart/templates/{name}.yaml").write_text("volcano.sh/gpu-num: {{ .Values.cards }}\n", encoding="utf-8")
    told = "percard: the templates of the chart chart are not judged; run: helm template chart | percard check -\n"
    assert percard("fix", "chart", cwd=tmp_path).stderr == told
    assert percard("baseline", "chart", cwd=tmp_path).stderr == f"{told}percard: the baseline holds 0 findings\n"
    patched = percard("patch", "chart", cwd=tmp_path)
    assert (patched.returncode, "no pod here" in patched.stderr) == (3, False)


def test_fix_says_what_is_left_and_what_would_repair_it(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(bad_pod() + "---\n" + good_pod().replace("volcano\n", "other\n"), encoding="utf-8")
    answer = percard("fix", "a.yaml", cwd=tmp_path)
    assert answer.returncode == 1
    assert answer.stderr == "percard: repaired a.yaml\npercard: a.yaml: 1 error left, see `percard check` (--unsafe may repair 1)\n"
    again = percard("fix", "--unsafe", "a.yaml", cwd=tmp_path)
    assert (again.returncode, again.stderr) == (0, "percard: repaired a.yaml\n")


def test_a_baseline_says_how_much_it_holds(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(bad_pod(), encoding="utf-8")
    assert percard("baseline", ".", cwd=tmp_path).stderr == "percard: the baseline holds 1 finding\n"
    (tmp_path / "b.yaml").write_text(bad_pod(), encoding="utf-8")
    assert percard("baseline", ".", cwd=tmp_path).stderr == "percard: the baseline holds 2 findings\n"


def test_the_folder_of_a_report_need_not_be_there(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(bad_pod(), encoding="utf-8")
    answer = percard("check", "-o", "junit=reports/gpu/percard.xml", "a.yaml", cwd=tmp_path)
    assert (answer.returncode, answer.stderr) == (1, "")
    assert (tmp_path / "reports/gpu/percard.xml").read_text(encoding="utf-8").startswith("<?xml")


def test_every_command_is_summed_up_in_one_whole_line() -> None:
    lines = percard("--help").stdout.partition("\nCommands:\n")[2].splitlines()
    assert [line.split()[0] for line in lines] == sorted(EVERY_COMMAND)
    assert [line for line in lines if not line.endswith(".") or line.endswith("...") or len(line) > 80] == []


def test_a_command_that_is_misspelt_is_told_what_was_meant() -> None:
    answer = percard("explian", "a.yaml")
    assert answer.returncode == 2
    assert "No such command 'explian'. Did you mean 'explain'?" in answer.stderr


@pytest.mark.parametrize(("asked", "meant"), [(["help"], ["--help"]), (["help", "check"], ["check", "--help"])], ids=["all", "one command"])
def test_help_is_a_command_too(asked: list[str], meant: list[str]) -> None:
    answer = percard(*asked)
    assert (answer.returncode, answer.stdout) == (0, percard(*meant).stdout)
    assert answer.stdout.startswith("Usage: percard")


@pytest.mark.parametrize(
    ("command", "first"),
    [
        (["checks", "memory_step"], "memory-step"),
        (["checks", "Memory-Step"], "memory-step"),
        (["dialects", "Huawei"], "huawei"),
        (["dialects", "volcano-vGPU"], "volcano_vgpu"),
    ],
)
def test_an_id_is_known_as_settings_and_vendors_spell_it(command: list[str], first: str) -> None:
    assert percard(*command).stdout.splitlines()[0] == first


def test_a_dialect_to_translate_into_is_known_as_its_makers_spell_it(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(good_pod(), encoding="utf-8")
    answer = percard("convert", "--to", "HAMi", "a.yaml", cwd=tmp_path)
    assert (answer.returncode, "nvidia.com/gpumem" in answer.stdout) == (0, True)


def test_a_check_that_is_misspelt_is_told_what_was_meant() -> None:
    answer = percard("checks", "memory-stp")
    assert answer.returncode == 2
    assert "there is no check 'memory-stp'; did you mean 'memory-step'? It must be one of card-count, " in answer.stderr
    assert "there is no dialect 'nobody'; it must be one of alibaba, " in percard("dialects", "nobody").stderr


def test_a_doctor_without_a_kubeconfig_says_how_to_name_one(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path), "KUBECONFIG": ""}
    told = "percard: no way to the API server: there is no file '{}'; name one with --kubeconfig or in the variable KUBECONFIG\n"
    for options, variables, file in (
        ([], home, "~/.kube/config"),
        ([], home | {"KUBECONFIG": "gone"}, "gone"),
        (["--kubeconfig", "no.conf"], home, "no.conf"),
    ):
        answer = percard("doctor", *options, cwd=tmp_path, **variables)
        assert (answer.returncode, answer.stderr) == (3, told.format(file))


def test_a_doctor_who_reaches_nobody_says_where_and_why(tmp_path: Path) -> None:
    (tmp_path / "k.yaml").write_text(
        "{apiVersion: v1, kind: Config, current-context: a, users: [{name: a, user: {}}],"
        " clusters: [{name: a, cluster: {server: 'https://127.0.0.1:1'}}], contexts: [{name: a, context: {cluster: a, user: a}}]}",
        encoding="utf-8",
    )
    answer = percard("doctor", "--kubeconfig", "k.yaml", cwd=tmp_path)
    assert answer.returncode == 3
    assert answer.stderr.startswith("percard: the cluster at https://127.0.0.1:1 cannot be reached: ")
    assert "Connection refused" in answer.stderr


def test_a_manifest_that_is_taken_for_a_review_is_sent_to_the_right_command(tmp_path: Path) -> None:
    (tmp_path / "pod.json").write_text('{"apiVersion": "v1", "kind": "Pod"}', encoding="utf-8")
    answer = percard("review", "pod.json", cwd=tmp_path)
    assert (answer.returncode, answer.stderr.endswith("(a manifest is what `percard check` judges)\n")) == (3, True)
