"""The engine is built from the folders and the settings; settings from a program are verified."""

import subprocess
import sys
from pathlib import Path

import pytest

import webhook
from webhook import CheckSettings, DialectSettings, Settings, SettingsError, build_engine, dialects
from webhook.core.rules import Rules
from webhook.settings import ServeSettings
from webhook.settings.catalogue import Catalogue

# The stacks that count totals; the others are read where a site enables them.
VENDORS = ("volcengine", "huawei", "alibaba")


def test_without_settings_the_engine_has_the_defaults() -> None:
    assert build_engine().rules == build_engine(Settings()).rules == Rules()
    assert build_engine().dialects == build_engine(Settings()).dialects


def test_every_file_of_both_folders_is_in_the_engine() -> None:
    engine = build_engine()
    folder = Path(webhook.__path__[0])
    files = {name: {file.stem for file in (folder / name).glob("[!_]*.py")} for name in ("dialects", "checks")}
    known = Catalogue.collected().dialects
    assert {dialect.id for dialect in known} == files["dialects"]
    assert {dialect.id for dialect in engine.dialects} == {dialect.id for dialect in known if dialect.enabled} == {*VENDORS}
    assert {check.id.replace("-", "_") for check in engine.checks} == files["checks"]


def test_a_new_dialect_file_gets_its_settings_without_an_edit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = (Path(webhook.__path__[0]) / "dialects" / "huawei.py").read_text()
    (tmp_path / "acme.py").write_text(source.replace("volcano.sh/", "acme.example/").replace('"huawei"', '"acme"'))
    monkeypatch.setattr(dialects, "__path__", [*dialects.__path__, str(tmp_path)])
    monkeypatch.delitem(sys.modules, "webhook.dialects.acme", raising=False)
    settings = webhook.load_settings(None, {"PERCARD_DIALECTS__ACME__MEMORY_STEP_MIB": "512"}, {})
    found = {dialect.id: dialect for dialect in build_engine(settings).dialects}
    monkeypatch.delitem(sys.modules, "webhook.dialects.acme")
    assert found["acme"].memory_step_mib == 512
    assert found["huawei"].memory_step_mib == 128


def test_a_dialect_keeps_what_is_not_set() -> None:
    before = {dialect.id: dialect for dialect in build_engine().dialects}["huawei"]
    settings = Settings(dialects={"huawei": DialectSettings(max_cards=8)})
    after = {dialect.id: dialect for dialect in build_engine(settings).dialects}["huawei"]
    assert (after.max_cards, before.max_cards) == (8, 64)
    assert (after.memory_step_mib, after.scheduler_name, after.read) == (before.memory_step_mib, "volcano", before.read)


def test_severities_reach_the_rules_where_they_are_set() -> None:
    settings = Settings(checks={"memory-step": CheckSettings(severity="off"), "core-step": CheckSettings()})
    assert build_engine(settings).rules.severities == {"memory-step": "off"}


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        (Settings(dialects={"huwaei": DialectSettings(max_cards=8)}), "dialects.huwaei.enabled: is no setting"),
        (Settings(checks={"memory-stop": CheckSettings(severity="off")}), "checks.memory_stop.severity: is no setting"),
        (
            Settings(dialects={"huawei": DialectSettings(memory_step_mib=0)}),
            "dialects.huawei.memory_step_mib: must be a whole number from 1 to 1099511627776, not '0'",
        ),
        (
            Settings(dialects={"huawei": DialectSettings(memory_unit_mib=64)}),
            "dialects.huawei.memory_unit_mib: must be 128, not '64'",
        ),
        (
            Settings(checks={"scheduler-conflict": CheckSettings(severity="off")}),
            "checks.scheduler_conflict.severity: must be left out, not 'off'",
        ),
        (Settings(annotation_prefix="A"), "annotation_prefix: must be a DNS name in lower case"),
        (Settings(serve=ServeSettings(keep_alive=0.5)), "serve.keep_alive: must be a duration with its unit (ms, s, m, h) from '1s'"),
        (Settings(serve=ServeSettings(cert=Path("c"))), "serve.key: must be given together with 'serve.cert'"),
    ],
)
def test_settings_that_a_program_built_are_verified(settings: Settings, problem: str) -> None:
    with pytest.raises(SettingsError) as refused:
        build_engine(settings)
    assert str(refused.value).startswith(problem)


def test_all_that_is_wrong_with_built_settings_is_told_at_once() -> None:
    with pytest.raises(SettingsError) as refused:
        build_engine(Settings(annotation_prefix="", dialects={"huawei": DialectSettings(max_cards=0, core_step_percent=0)}))
    assert [problem.path for problem in refused.value.problems] == [
        "annotation_prefix",
        "dialects.huawei.core_step_percent",
        "dialects.huawei.max_cards",
    ]


def test_the_package_exports_what_it_lists() -> None:
    assert [name for name in webhook.__all__ if not hasattr(webhook, name)] == []
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = webhook.nothing  # type: ignore[attr-defined] # the point of the test


def test_an_engine_without_a_settings_file_loads_neither_yaml_nor_any_library() -> None:
    program = (
        "import sys, webhook; webhook.build_engine(webhook.load_settings(None, {}, {}));"
        "print(sorted({'yaml', 'pydantic', 'msgspec', 'click', 'rich', 'fastapi', 'structlog'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout == "[]\n"


def test_importing_the_package_loads_none_of_its_parts() -> None:
    program = "import sys, webhook; print([name for name in sys.modules if name.startswith('webhook.')])"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout == "[]\n"
