"""The settings in force say what holds and where it came from."""

import json
from pathlib import Path

import pytest

from webhook.settings import Settings, SettingsError, Sources, load
from webhook.settings.catalogue import Catalogue
from webhook.settings.in_force import InForce, settings_in_force


def in_force(sources: Sources) -> dict[str, InForce]:
    return {setting.path: setting for setting in settings_in_force(sources)}


def test_each_source_is_named_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "percard.yaml"
    file.write_text("workloads: off\nserve:\n  quiet_period: 9s\n  port: 1\n")
    found = in_force(Sources(file, {"PERCARD_LOG__LEVEL": "debug", "PERCARD_SERVE__PORT": "2"}, {"serve.ops_port": 9090}))
    assert found["workloads"] == InForce("workloads", "off", f"{file}, line 1")
    assert found["serve.port"] == InForce("serve.port", 2, "variable PERCARD_SERVE__PORT")
    assert found["log.level"] == InForce("log.level", "debug", "variable PERCARD_LOG__LEVEL")
    assert found["serve.ops_port"] == InForce("serve.ops_port", 9090, "flag --ops-port")
    assert found["serve.host"] == InForce("serve.host", "127.0.0.1", "default")


def test_quantities_are_shown_with_their_unit() -> None:
    found = in_force(Sources(None, {}, {"serve.max_quiet_period": "2m"}))
    assert found["serve.max_quiet_period"].value == "120s"
    assert found["serve.max_body"].value == "7Mi"


def test_a_dialects_own_figures_are_its_defaults() -> None:
    found = in_force(Sources(None, {}, {}))
    assert found["dialects.huawei.memory_step_mib"] == InForce("dialects.huawei.memory_step_mib", 128, "default")
    assert found["dialects.huawei.scheduler_name"].value == "volcano"
    assert found["dialects.volcengine.memory_min_multi_mib"].value == 1024
    assert found["dialects.huawei.memory_min_multi_mib"].value is None


def test_step_and_minimum_follow_the_unit_unless_they_are_set() -> None:
    found = in_force(Sources(None, {}, {"dialects.alibaba.memory_unit_mib": 1, "dialects.alibaba.memory_min_mib": 256}))
    step, least = found["dialects.alibaba.memory_step_mib"], found["dialects.alibaba.memory_min_mib"]
    assert (step.value, step.origin) == (1, "follows dialects.alibaba.memory_unit_mib (flag --memory-unit-mib)")
    assert (least.value, least.origin) == (256, "flag --memory-min-mib")


def test_severities_are_the_checks_own_until_they_are_set() -> None:
    found = in_force(Sources(None, {}, {"checks.memory_step.severity": "off"}))
    assert found["checks.memory_step.severity"].value == "off"
    assert found["checks.core_step.severity"] == InForce("checks.core_step.severity", "error", "default")


def test_what_may_not_be_set_is_not_listed() -> None:
    assert {"checks.scheduler_conflict.severity"}.isdisjoint(in_force(Sources(None, {}, {})))


def test_what_is_in_force_can_be_written_into_a_file(tmp_path: Path) -> None:
    tree: dict[str, object] = {}
    for setting in settings_in_force(Sources(None, {}, {})):
        *sections, name = setting.path.split(".")
        place = tree
        for section in sections:
            place = place.setdefault(section, {})  # type: ignore[assignment]
        place[name] = setting.value
    file = tmp_path / "all.yaml"
    file.write_text(json.dumps(tree))
    loaded = load(Sources(file, {}, {})).settings
    assert (loaded.serve, loaded.log, loaded.workloads) == (Settings().serve, Settings().log, "error")
    shown = [(setting.path, setting.value) for setting in settings_in_force(Sources(file, {}, {}))]
    assert shown == [(setting.path, setting.value) for setting in settings_in_force(Sources(None, {}, {}))]


def test_mistakes_are_raised_as_in_loading() -> None:
    with pytest.raises(SettingsError):
        settings_in_force(Sources(None, {"PERCARD_ZEBRA": "1"}, {}))


def test_what_each_setting_does_is_a_sentence_of_its_own() -> None:
    leaves = Catalogue.collected().leaves.values()
    assert all(leaf.about[0].isupper() and leaf.about.endswith(".") for leaf in leaves)
    assert len({(leaf.path[:-1], leaf.about) for leaf in leaves}) == len(leaves)
