"""Every check has a rule or says why not, and what a rule says follows from dialect and settings alone."""

import re

import pytest

from tests.policies.made import engine_of, engine_with, expressions, made, of_kind, variables
from webhook import build_engine
from webhook.core.reading import read_label_count, read_shares, settle_share
from webhook.core.share import GpuPod
from webhook.policies import coverage, reach
from webhook.policies.catalogue import rules

ENGINE = build_engine()
POLICY = "ValidatingAdmissionPolicy"
EXPRESSED = sorted(rule.check for rule in rules().values() if rule.is_expressed)


def test_every_check_has_a_rule_and_every_rule_a_check() -> None:
    assert rules().keys() == {check.id for check in ENGINE.checks}


@pytest.mark.parametrize("check", [check.id for check in ENGINE.checks])
def test_a_check_is_expressed_or_a_reason_is_given(check: str) -> None:
    assert rules()[check].is_expressed or rules()[check].reason


@pytest.mark.parametrize("check", EXPRESSED)
def test_what_a_rule_says_ends_with_the_id_of_its_check(check: str) -> None:
    assert f" [{check}]'" in expressions(made())


@pytest.mark.parametrize("check", [check for check in EXPRESSED if check != "scheduler-conflict"])
def test_a_check_that_is_off_is_in_no_policy_and_one_that_warns_in_those_that_warn(check: str) -> None:
    key = check.replace("-", "_")
    off = made(engine_with({f"checks.{key}.severity": "off"}))
    assert f" [{check}]'" not in expressions(off)
    warned = of_kind(made(engine_with({f"checks.{key}.severity": "warning"}), "validating"), POLICY)
    told = {name for name, spec in warned.items() if f" [{check}]'" in expressions([spec])}
    assert "percard-pods-warnings" in told
    assert all(name.endswith("-warnings") for name in told)


@pytest.mark.parametrize(
    ("dialect", "settings", "found"),
    [
        ("huawei", {"memory_step_mib": 384}, "s.cards * 384"),
        ("huawei", {"core_step_percent": 7}, "s.cards * 7"),
        ("huawei", {"memory_min_mib": 256}, "must be at least 256 MiB"),
        ("huawei", {"memory_max_mib": 24576}, "must be at most 24576 MiB (24 GiB)"),
        ("volcengine", {"max_cards": 9}, "'^[1-9][0-9]{0,0}$') && int(e) <= 9"),
        ("volcengine", {"memory_min_multi_mib": 1536}, "must be at least 1536 MiB"),
        ("alibaba", {"memory_unit_mib": 1}, "' is not a positive whole number; must be a whole number of MiB"),
        ("huawei", {"scheduler_name": "gang"}, "write schedulerName: gang"),
        ("alibaba", {"accepted_schedulers": ["kube-batch"]}, "'kube-batch'"),
    ],
)
def test_a_setting_of_a_dialect_is_in_its_policies(dialect: str, settings: dict[str, object], found: str) -> None:
    others = {f"dialects.{other.id}.enabled": False for other in ENGINE.dialects if other.id != dialect}
    site = {f"dialects.{dialect}.{name}": value for name, value in settings.items()}
    assert found not in expressions(made(engine_with(others)))
    assert found in expressions(made(engine_with(others | site)))


def test_keys_for_whole_cards_and_the_prefix_of_annotations_are_those_of_the_settings() -> None:
    text = expressions(made(engine_with({"whole_card_keys": ["example.com/card-*"], "annotation_prefix": "gpu.example"})))
    assert "k.startsWith('example.com/card-')" in text
    assert "'gpu.example/limits'" in text
    assert "nvidia.com/mig-" not in text


@pytest.mark.parametrize(("choice", "denies", "warns"), [("deny", True, False), ("warn", False, True), ("override", False, False)])
def test_a_foreign_scheduler_is_dealt_with_as_the_setting_says(choice: str, denies: bool, warns: bool) -> None:  # noqa: FBT001 -- a table
    specs = of_kind(made(engine_with({"foreign_scheduler": choice}), "validating"), POLICY)
    told = {name: "does not know the keys of Huawei" in expressions([spec]) for name, spec in specs.items()}
    assert told == {
        "percard-pods": denies,
        "percard-workloads": denies,
        "percard-pods-warnings": warns,
        "percard-workloads-warnings": warns,
    }


def test_a_new_dialect_gets_policies_by_its_data_and_nothing_of_another_s() -> None:
    new = {"memory": "new.example/mem", "core": "new.example/core"}
    engine = engine_of(
        "huawei", id="new_one", title="New", resources=new, families=("new.example/",), count_key="new.example/cards", foreign_keys=()
    )
    text = expressions(made(engine))
    assert "variables.new_one_shares" in text
    assert "'new.example/cards'" in text
    assert "gpu-mem.128Mi" not in text


def test_a_dialect_that_reads_its_counts_in_another_way_has_no_policies_and_says_why() -> None:
    def read(gpu: object) -> None:
        """Read nothing at all."""

    engine = engine_of("huawei", read=read)
    assert made(engine) == []
    assert [reason for _, reason in reach.obstacles(engine)] == ["it reads its counts in a way of its own"]


def test_a_dialect_that_gives_two_containers_other_cards_than_its_data_says_has_no_policies() -> None:
    def read(gpu: GpuPod) -> None:
        """Let the first container have the cards, the others none of their own."""
        read_shares(gpu)
        read_label_count(gpu)
        for share in gpu.shares[1:]:
            settle_share(gpu, share, 1)

    assert made(engine_of("huawei", read=read)) == []


def test_a_dialect_in_which_one_container_gets_the_cards_has_no_policies() -> None:
    assert [reason for _, reason in reach.obstacles(engine_of("huawei", holder_key="a.example/holder"))] == [
        "one container alone gets the cards"
    ]


@pytest.mark.parametrize("figures", [{"memory_unit_mib": 1 << 15}, {"memory_unit_mib": 1 << 10, "memory_step_mib": 1 << 33}])
def test_a_dialect_whose_figures_would_exceed_64_bits_has_no_policies_and_says_why(figures: dict[str, int]) -> None:
    engine = engine_of("huawei", memory_max_mib=1 << 40, **figures)
    assert made(engine) == []
    assert [reason for _, reason in reach.obstacles(engine)] == ["its unit and step of memory exceed what an API server can reckon with"]


def test_dialects_that_are_off_by_default_are_told_apart() -> None:
    found = {dialect.id: reason for dialect, reason in coverage.dialects(ENGINE)}
    assert {name for name, reason in found.items() if not reason} == {"volcengine", "huawei", "alibaba"}
    assert "annotations" in found["kai"]


def test_variables_are_defined_before_they_are_used() -> None:
    for name, spec in of_kind(made(), POLICY).items():
        known: set[str] = set()
        for variable, expression in variables(spec).items():
            assert set(re.findall(r"variables\.([a-z_]+)", expression)) <= known, f"{name}: {variable}"
            known.add(variable)
