"""`percard policies`: the real program."""

from pathlib import Path

import pytest
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


def test_without_a_version_they_are_for_every_kubernetes_and_what_a_newer_one_adds_is_told() -> None:
    done = percard("policies")
    assert kinds(done.stdout) == {"ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"}
    assert done.stdout == percard("policies", "--min-version", "1.30").stdout
    assert done.stderr.startswith("percard: no mutating policy: a pod's scheduler must be set by whoever writes it, or by the webhook;")
    assert "--min-version 1.36" in done.stderr


@pytest.mark.parametrize("wanted", [("--min-version", "v1.36.3"), ("--min-version", "1.37"), ("--kind", "mutating")])
def test_mutating_policies_are_printed_for_a_kubernetes_that_knows_them_and_where_they_alone_are_wanted(wanted: tuple[str, ...]) -> None:
    done = percard("policies", *wanted)
    assert (done.returncode, done.stderr) == (0, "")
    assert "MutatingAdmissionPolicy" in kinds(done.stdout)


def test_mutating_policies_alone_for_a_kubernetes_that_knows_none_are_refused() -> None:
    done = percard("policies", "--kind", "mutating", "--min-version", "1.35")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--kind mutating must have --min-version 1.36 or newer" in done.stderr


@pytest.mark.parametrize("wanted", ["1.29", "2.0", "1.3", "33", ""])
def test_what_is_no_version_with_policies_is_refused(wanted: str) -> None:
    done = percard("policies", "--min-version", wanted)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"'{wanted}' must be a version of Kubernetes, 1.30 or newer, such as 1.33" in done.stderr


def kinds(text: str) -> set[str]:
    """Return the kinds of the objects in a YAML text."""
    return {obj["kind"] for obj in yaml.safe_load_all(text)}
