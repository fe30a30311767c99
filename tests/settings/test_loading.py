"""File, environment and flags become one set of settings; every mistake is told at once."""

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from webhook.core.plugin import Dialect
from webhook.settings import (
    CheckSettings,
    DialectSettings,
    LogSettings,
    ServeSettings,
    Settings,
    Sources,
    load_settings,
)
from webhook.settings.catalogue import Catalogue

# Every setting: how a file writes it, how a variable does, and what the program gets.
WRITTEN: list[tuple[str, str, str, Any]] = [
    ("workloads", "off", "off", "off"),
    ("foreign_scheduler", "override", "override", "override"),
    (
        "whole_card_keys",
        "[nvidia.com/gpu, 'example.com/card-*']",
        "nvidia.com/gpu,example.com/card-*",
        ("nvidia.com/gpu", "example.com/card-*"),
    ),
    ("annotation_prefix", "gpu.example.com", "gpu.example.com", "gpu.example.com"),
    ("inject_env", "true", "true", True),
    ("target", "hami", "hami", "hami"),
    ("target_allow_loss", "true", "true", True),
    ("target_keep_source", "true", "true", True),
    ("serve.host", "'::'", "::", "::"),
    ("serve.port", "9443", "9443", 9443),
    ("serve.ops_port", "0", "0", 0),
    ("serve.client_ca", "/etc/ca.pem", "/etc/ca.pem", Path("/etc/ca.pem")),
    ("serve.self_signed", "true", "true", True),
    ("serve.names", "[percard.percard.svc, 10.0.0.7]", "percard.percard.svc,10.0.0.7", ("percard.percard.svc", "10.0.0.7")),
    ("serve.api", "false", "false", False),
    ("serve.keep_alive", "2m30s", "2m30s", 150.0),
    ("serve.quiet_period", "500ms", "500ms", 0.5),
    ("serve.max_quiet_period", "1h", "1h", 3600.0),
    ("serve.max_body", "1Mi", "1Mi", 1_048_576),
    ("serve.max_connections", "100", "100", 100),
    ("serve.max_in_flight", "10", "10", 10),
    ("serve.head_timeout", "3s", "3s", 3.0),
    ("serve.body_timeout", "4s", "4s", 4.0),
    ("log.level", "debug", "debug", "debug"),
    ("log.format", "text", "text", "text"),
    ("dialects.huawei.enabled", "false", "false", False),
    ("dialects.huawei.scheduler_name", "hpc", "hpc", "hpc"),
    ("dialects.huawei.accepted_schedulers", "[a, b]", "a,b", ("a", "b")),
    ("dialects.alibaba.memory_unit_mib", "1", "1", 1),
    ("dialects.huawei.memory_step_mib", "256", "256", 256),
    ("dialects.huawei.memory_min_mib", "512", "512", 512),
    ("dialects.volcengine.memory_min_multi_mib", "2048", "2048", 2048),
    ("dialects.huawei.memory_max_mib", "81920", "81920", 81_920),
    ("dialects.huawei.core_step_percent", "10", "10", 10),
    ("dialects.huawei.max_cards", "8", "8", 8),
    ("dialects.baidu.core_min_percent", "10", "10", 10),
    ("dialects.hami.card_memory_mib", "23028", "23028", 23_028),
    ("dialects.baidu.card_model", "t4_16g", "t4_16g", "t4_16g"),
    ("dialects.dra.device_class", "gpu.example.com", "gpu.example.com", "gpu.example.com"),
    ("dialects.dra.device_driver", "driver.example.com", "driver.example.com", "driver.example.com"),
    ("checks.memory_step.severity", "warning", "warning", "warning"),
]
# These two only make sense together.
TOGETHER = {"serve.cert", "serve.key"}
NEEDS = {"serve.client_names": "serve.client_ca"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "percard.yaml"


def nested(path: str, text: str) -> str:
    """Return the YAML of one setting: `serve.port` becomes `serve: {port: …}`."""
    names = path.split(".")
    return "".join(f"{'  ' * depth}{name}:\n" for depth, name in enumerate(names))[:-1] + f" {text}\n"


def variable(path: str) -> str:
    return f"PERCARD_{path.upper().replace('.', '__')}"


def value_at(settings: Settings, path: str) -> Any:
    value: Any = settings
    for name in path.split("."):
        value = value[name.replace("_", "-") if "checks" in path else name] if isinstance(value, dict) else getattr(value, name)
    return value


def test_nothing_written_gives_the_defaults() -> None:
    assert load_settings(None, {}, {}) == Settings()


@pytest.mark.parametrize(("path", "text", "_", "value"), WRITTEN, ids=[row[0] for row in WRITTEN])
def test_a_file_sets_it(file: Path, path: str, text: str, _: str, value: Any) -> None:
    file.write_text(nested(path, text))
    assert value_at(load_settings(file, {}, {}), path) == value


@pytest.mark.parametrize(("path", "_", "text", "value"), WRITTEN, ids=[row[0] for row in WRITTEN])
def test_a_variable_sets_it(path: str, _: str, text: str, value: Any) -> None:
    assert value_at(load_settings(None, {variable(path): text}, {}), path) == value


def test_certificate_and_key_are_set_together(file: Path) -> None:
    file.write_text("serve: {cert: tls.crt, key: tls.key}\n")
    serve = load_settings(file, {}, {}).serve
    assert (serve.cert, serve.key) == (Path("tls.crt"), Path("tls.key"))


def test_client_names_are_set_with_their_ca(file: Path) -> None:
    file.write_text("serve: {client_ca: ca.pem, client_names: [kube-apiserver]}\n")
    assert load_settings(file, {}, {}).serve.client_names == ("kube-apiserver",)


def test_every_setting_is_in_the_table_above() -> None:
    tried = {path.split(".")[-1] for path, *_ in WRITTEN} | {path.split(".")[-1] for path in {*TOGETHER, *NEEDS}}
    names = {field.name for kind in (Settings, ServeSettings, LogSettings, DialectSettings, CheckSettings) for field in fields(kind)}
    assert names - tried == {"serve", "log", "dialects", "checks"}


def test_a_dialect_can_be_set_in_every_figure_that_has_a_setting() -> None:
    assert {field.name for field in fields(DialectSettings)} <= {field.name for field in fields(Dialect)}


def test_flags_win_over_variables_and_variables_over_the_file(file: Path) -> None:
    file.write_text("serve: {port: 1001, ops_port: 1002, max_in_flight: 3}\n")
    environ = {"PERCARD_SERVE__PORT": "2001", "PERCARD_SERVE__OPS_PORT": "2002"}
    serve = load_settings(file, environ, {"serve.port": 3001}).serve
    assert (serve.port, serve.ops_port, serve.max_in_flight) == (3001, 2002, 3)


def test_a_list_replaces_the_list_of_an_earlier_source(file: Path) -> None:
    file.write_text("whole_card_keys: [a.example/x]\n")
    assert load_settings(file, {"PERCARD_WHOLE_CARD_KEYS": "b.example/y"}, {}).whole_card_keys == ("b.example/y",)


def test_an_unused_flag_sets_nothing(file: Path) -> None:
    file.write_text("serve: {port: 1001}\n")
    assert load_settings(file, {}, {"serve.port": None}).serve.port == 1001


def test_a_variable_names_the_file_and_the_flag_wins_over_it(file: Path, tmp_path: Path) -> None:
    file.write_text("workloads: warning\n")
    other = tmp_path / "other.yaml"
    other.write_text("workloads: off\n")
    environ = {"PERCARD_CONFIG": str(file)}
    assert load_settings(None, environ, {}).workloads == "warning"
    assert load_settings(other, environ, {}).workloads == "off"


def test_the_environment_is_the_processs_where_none_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERCARD_WORKLOADS", "warning")
    assert load_settings().workloads == "warning"
    assert Sources().environ["PERCARD_WORKLOADS"] == "warning"


def test_an_empty_variable_names_no_file() -> None:
    assert Sources(environ={"PERCARD_CONFIG": ""}).file is None
    assert load_settings(None, {"PERCARD_CONFIG": ""}, {}) == Settings()


def test_null_says_what_is_the_case_without(file: Path) -> None:
    file.write_text("target:\nserve: {cert: null, key: ~}\ndialects: {huawei: {memory_step_mib: null}}\n")
    settings = load_settings(file, {}, {})
    assert settings.serve == ServeSettings()
    assert settings.dialects["huawei"] == DialectSettings()


def test_an_empty_section_sets_nothing(file: Path) -> None:
    file.write_text("serve:\nlog: {}\ndialects:\n  huawei:\nchecks: {}\n")
    assert load_settings(file, {}, {}) == Settings()


def test_what_kubernetes_sets_for_a_service_is_no_mistake() -> None:
    environ = {"PERCARD_SERVICE_HOST": "10.0.0.7", "PERCARD_PORT": "tcp://10.0.0.7:443", "PERCARD_PORT_443_TCP_PORT": "443"}
    assert load_settings(None, environ, {}) == Settings()


def test_the_names_of_dialects_and_checks_come_from_their_files() -> None:
    catalogue = Catalogue.collected()
    assert {path[1] for path in catalogue.leaves if path[0] == "dialects"} == {dialect.id for dialect in catalogue.dialects}
    assert {path[1] for path in catalogue.leaves if path[0] == "checks"} == {check.id.replace("-", "_") for check in catalogue.checks}
