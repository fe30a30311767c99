"""Every setting that concerns the engine changes a verdict, and only where it is set."""

from typing import Any

import pytest

from tests.wiring.pods import alibaba, deployment, huawei, pod, volcengine
from tests.wiring.verdicts import complaints, examine, patch_of
from webhook import Verdict


@pytest.mark.parametrize(
    "obj", [huawei(), volcengine(), alibaba(), deployment(huawei())], ids=["huawei", "volcengine", "alibaba", "workload"]
)
def test_the_pods_to_start_from_are_clean(obj: dict[str, Any]) -> None:
    assert complaints(examine(obj)) == []


@pytest.mark.parametrize(
    ("setting", "value", "obj", "check"),
    [
        # 4096 MiB on a card is no multiple of 3072, 2050 none of 128, 4 GiB none of 3 GiB
        ("dialects__huawei__memory_step_mib", 3072, huawei(), "memory-step"),
        ("dialects__volcengine__memory_step_mib", 128, volcengine(mib=4100), "memory-step"),
        ("dialects__alibaba__memory_step_mib", 3072, alibaba(), "memory-step"),
        # 15 % on a card is no multiple of 10, 7 % none of 5
        ("dialects__huawei__core_step_percent", 10, huawei(), "core-step"),
        ("dialects__volcengine__core_step_percent", 5, volcengine(percent=14), "core-step"),
        ("dialects__huawei__memory_min_mib", 4224, huawei(), "memory-range"),
        ("dialects__alibaba__memory_min_mib", 5120, alibaba(), "memory-range"),
        ("dialects__volcengine__memory_min_multi_mib", 4097, volcengine(), "memory-range"),
        ("dialects__huawei__memory_min_multi_mib", 4224, huawei(), "memory-range"),
        ("dialects__huawei__memory_max_mib", 3968, huawei(), "memory-range"),
        ("dialects__alibaba__memory_max_mib", 3072, alibaba(), "memory-range"),
        ("dialects__volcengine__memory_max_mib", 4095, volcengine(), "memory-range"),
        ("dialects__huawei__max_cards", 1, huawei(), "card-count"),
        ("dialects__volcengine__max_cards", 1, volcengine(), "card-count"),
        ("dialects__alibaba__max_cards", 1, alibaba(), "card-count"),
    ],
)
def test_a_stricter_figure_refuses_what_was_fine(setting: str, value: int, obj: dict[str, Any], check: str) -> None:
    assert complaints(examine(obj)) == []
    assert complaints(examine(obj, **{setting: value})) == [(check, "error")]


@pytest.mark.parametrize(
    ("setting", "value", "obj", "check"),
    [
        # 65 blocks of 128 MiB over two cards are 4160 MiB each, a multiple of 64
        ("dialects__huawei__memory_step_mib", 64, huawei(blocks=65), "memory-step"),
        # 8.5 GiB on each of two cards
        ("dialects__alibaba__memory_step_mib", 512, alibaba(units=17), "memory-step"),
        ("dialects__huawei__core_step_percent", 1, huawei(percent=14), "core-step"),
        ("dialects__volcengine__memory_min_multi_mib", 512, volcengine(mib=1024), "memory-range"),
        ("dialects__volcengine__memory_min_mib", 128, volcengine(mib=128, cards="1"), "memory-range"),
        ("dialects__huawei__max_cards", 65, huawei(blocks=65, percent=325, cards="65"), "card-count"),
        ("dialects__huawei__memory_max_mib", 2_097_152, huawei(blocks=20_000), "memory-range"),
    ],
)
def test_a_laxer_figure_allows_what_was_refused(setting: str, value: int, obj: dict[str, Any], check: str) -> None:
    assert check in [name for name, _ in complaints(examine(obj))]
    loosened = {setting: value}
    if "min_mib" in setting:
        loosened["dialects__volcengine__memory_min_multi_mib"] = value
    assert complaints(examine(obj, **loosened)) == []


def test_the_unit_moves_what_is_read_and_step_and_minimum_along() -> None:
    (gpu,) = examine(alibaba(units=8194), dialects__alibaba__memory_unit_mib=1).pods
    assert gpu.shares[0].memory_mib == 8194
    assert complaints(examine(alibaba(units=8194), dialects__alibaba__memory_unit_mib=1)) == []
    # 4097 MiB on a card: the step that is set stays what it is
    stepped = examine(alibaba(units=8194), dialects__alibaba__memory_unit_mib=1, dialects__alibaba__memory_step_mib=1024)
    assert complaints(stepped) == [("memory-step", "error")]


def test_a_dialect_that_is_off_is_not_examined() -> None:
    bad = huawei(blocks=65)
    assert complaints(examine(bad)) == [("memory-step", "error")]
    assert examine(bad, dialects__huawei__enabled=False) == Verdict()
    assert complaints(examine(bad, dialects__alibaba__enabled=False)) == [("memory-step", "error")]


@pytest.mark.parametrize(
    ("level", "expected"), [("error", [("memory-step", "error")]), ("warning", [("memory-step", "warning")]), ("off", [])]
)
def test_a_severity_changes_the_finding_and_nothing_is_patched(level: str, expected: list[tuple[str, str]]) -> None:
    # 8192 MiB over three cards do not divide, whatever the severity is
    verdict = examine(huawei(cards="3"), checks__memory_step__severity=level)
    assert complaints(verdict) == expected
    assert verdict.patch == ()


def test_a_severity_concerns_its_check_alone() -> None:
    verdict = examine(huawei(blocks=65, percent=14), checks__memory_step__severity="off")
    assert complaints(verdict) == [("core-step", "error")]


def test_a_warning_can_be_made_an_error() -> None:
    obj = huawei()
    obj["spec"]["containers"][0]["securityContext"] = {"privileged": True}
    assert complaints(examine(obj)) == [("isolation-bypass", "warning")]
    assert complaints(examine(obj, checks__isolation_bypass__severity="error")) == [("isolation-bypass", "error")]


@pytest.mark.parametrize(
    ("level", "expected"), [("error", [("memory-step", "error")]), ("warning", [("memory-step", "warning")]), ("off", [])]
)
def test_the_level_of_workloads_concerns_templates_alone(level: str, expected: list[tuple[str, str]]) -> None:
    assert complaints(examine(deployment(huawei(blocks=65)), workloads=level)) == expected
    assert complaints(examine(huawei(blocks=65), workloads=level)) == [("memory-step", "error")]


def test_whole_card_keys_are_those_of_the_list() -> None:
    obj = huawei()
    obj["spec"]["containers"].append({"name": "other", "resources": {"limits": {"example.com/card-a": 1}}})
    assert complaints(examine(obj)) == []
    assert complaints(examine(obj, whole_card_keys=["example.com/card-*"])) == [("excluded-resource", "error")]


def test_a_key_that_leaves_the_list_is_nobodys() -> None:
    obj = huawei()
    obj["spec"]["containers"].append({"name": "other", "resources": {"limits": {"nvidia.com/gpu": 1}}})
    assert complaints(examine(obj)) == [("excluded-resource", "error")]
    assert complaints(examine(obj, whole_card_keys=["amd.com/gpu"])) == []


def test_the_prefix_is_that_of_the_annotation() -> None:
    assert "/metadata/annotations/percard.webhook~1limits" in patch_of(examine(volcengine()))
    assert set(patch_of(examine(volcengine(), annotation_prefix="gpu.example.com"))) == {"/metadata/annotations/gpu.example.com~1limits"}


def test_the_limits_go_into_the_environment_where_that_is_wanted() -> None:
    assert "/spec/containers/0/env" not in patch_of(examine(huawei()))
    assert patch_of(examine(huawei(), inject_env=True))["/spec/containers/0/env"] == [
        {"name": "GPU_CARDS", "value": "2"},
        {"name": "GPU_MEMORY_MIB_PER_CARD", "value": "4096"},
        {"name": "GPU_CORE_PERCENT_PER_CARD", "value": "15"},
    ]


def test_a_setting_of_one_dialect_leaves_the_others_alone() -> None:
    strict = {"dialects__huawei__memory_step_mib": 3072}
    assert complaints(examine(volcengine(), **strict)) == complaints(examine(alibaba(), **strict)) == []


def test_every_dialect_can_be_held_to_one_step() -> None:
    site = {"dialects__volcengine__memory_step_mib": 128, "dialects__volcengine__core_step_percent": 5}
    # 2049 MiB and 7 % on each of two cards
    verdict = examine(volcengine(mib=4098, percent=14), **site)
    assert sorted(complaints(verdict)) == [("core-step", "error"), ("memory-step", "error")]


def test_a_pod_of_nobody_is_nobodys_with_any_settings() -> None:
    assert examine(pod({"cpu": 1}), foreign_scheduler="override", inject_env=True) == Verdict()
