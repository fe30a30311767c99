"""`percard policies`: the real program."""

from pathlib import Path

import yaml

from tests.cli.program import percard


def test_the_policies_are_printed_for_the_settings_in_force(tmp_path: Path) -> None:
    settings = tmp_path / "percard.yaml"
    settings.write_text("dialects: {huawei: {memory_step_mib: 384}}\n", encoding="utf-8")
    done = percard("policies", "--kind", "validating", "--min-version", "1.30", "--config", settings)
    assert (done.returncode, done.stderr) == (0, "")
    objects = list(yaml.safe_load_all(done.stdout))
    assert {obj["apiVersion"] for obj in objects} == {"admissionregistration.k8s.io/v1"}
    assert "a multiple of 384 MiB on each card" in done.stdout


def test_what_cannot_be_said_is_told_on_stderr(tmp_path: Path) -> None:
    settings = tmp_path / "percard.yaml"
    settings.write_text("dialects: {kai: {enabled: true}}\n", encoding="utf-8")
    done = percard("policies", "--config", settings)
    assert done.returncode == 0
    assert done.stderr.startswith("percard: no policies for KAI Scheduler: ")


def test_a_version_that_is_not_known_is_refused() -> None:
    done = percard("policies", "--min-version", "1.29")
    assert done.returncode == 2
    assert "1.30" in done.stderr
