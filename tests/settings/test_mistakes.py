"""Mistakes in settings are told all at once, each with its path, its place and what to write."""

from pathlib import Path
from typing import Any

import pytest

from webhook.settings import SettingsError, load_settings


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "percard.yaml"


def problems_of(file: Path | None = None, environ: dict[str, str] | None = None, flags: dict[str, Any] | None = None) -> list[str]:
    with pytest.raises(SettingsError) as refused:
        load_settings(file, environ or {}, flags or {})
    assert str(refused.value) == "\n".join(map(str, refused.value.problems))
    return [str(problem) for problem in refused.value.problems]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("serve: {portt: 1}", "serve.portt: is no setting; did you mean 'serve.port'?"),
        ("zebra: 1", "zebra: is no setting; `percard config` lists all"),
        ("zebra: {}", "zebra: is no setting; `percard config` lists all"),
        ("zebra:", "zebra: is no setting; `percard config` lists all"),
        ("? [a]\n: 1", "?: is no setting; `percard config` lists all"),
        ("dialects: {huwaei: {max_cards: 3}}", "dialects.huwaei.max_cards: is no setting; did you mean 'dialects.huawei.max_cards'?"),
        (
            "checks: {memory-step: {severity: off}}",
            "checks.memory-step.severity: is no setting; did you mean 'checks.memory_step.severity'?",
        ),
        ("serve: 8443", "serve: must be a mapping of settings; `percard config` lists those of 'serve'"),
        ("dialects: {huawei: [1]}", "dialects.huawei: must be a mapping of settings; `percard config` lists those of 'dialects.huawei'"),
        ("serve: {port: {tls: 1}}", "serve.port.tls: is no setting: 'serve.port' must be a whole number from 0 to 65535"),
        ("serve: {port: '8443'}", "serve.port: must be a whole number from 0 to 65535, not '8443'"),
        ("serve: {port: 65536}", "serve.port: must be a whole number from 0 to 65535, not '65536'"),
        ("serve: {port: null}", "serve.port: must be a whole number from 0 to 65535, not 'null'"),
        ("serve: {api: yes}", "serve.api: must be true or false, not 'yes'"),
        (
            "serve: {keep_alive: 120}",
            "serve.keep_alive: must be a duration with its unit (ms, s, m, h) from '1s' to '1h', not '120'; write '120s'",
        ),
        (
            "serve: {max_body: 7}",
            "serve.max_body: must be a size with its unit (Ki, Mi, Gi bytes) from '64Ki' to '64Mi', not '7'; write '7Mi'",
        ),
        ("serve: {host: 'a b'}", "serve.host: must be a host name or an IP address, not 'a b'"),
        ("log: {level: trace}", "log.level: must be debug, info, warning or error, not 'trace'"),
        ("workloads: none", "workloads: must be error, warning or off, not 'none'"),
        ("foreign_scheduler: allow", "foreign_scheduler: must be deny, warn or override, not 'allow'"),
        ("whole_card_keys: nvidia.com/gpu", "whole_card_keys: must be a list, each item a resource name with its domain, such as"),
        ("whole_card_keys: [gpu]", "whole_card_keys: must be a resource name with its domain, such as"),
        ("annotation_prefix: Percard", "annotation_prefix: must be a DNS name in lower case such as 'percard.webhook'"),
        ("annotation_prefix: gpu.k8s.io", "annotation_prefix: must be a DNS name in lower case such as 'percard.webhook'"),
        ("annotation_prefix: a/b", "annotation_prefix: must be a DNS name in lower case such as 'percard.webhook'"),
        ("inject_env: 1", "inject_env: must be true or false, not '1'"),
        ("target: HAMi", "target: must be the id of a dialect, such as 'hami', not 'HAMi'"),
        ("dialects: {huawei: {card_model: t4_16g}}", "dialects.huawei.card_model: is no setting"),
        (
            "dialects: {huawei: {memory_step_mib: 0}}",
            "dialects.huawei.memory_step_mib: must be a whole number from 1 to 1099511627776, not '0'",
        ),
        ("dialects: {huawei: {memory_step_mib: 1.5}}", "dialects.huawei.memory_step_mib: must be a whole number from 1 to"),
        (
            "dialects: {huawei: {core_step_percent: 101}}",
            "dialects.huawei.core_step_percent: must be a whole number from 1 to 100, not '101'",
        ),
        ("dialects: {huawei: {max_cards: 0}}", "dialects.huawei.max_cards: must be a whole number from 1 to 65536, not '0'"),
        ("dialects: {huawei: {scheduler_name: ''}}", "dialects.huawei.scheduler_name: must be a scheduler's name, not ''"),
        (
            "dialects: {huawei: {accepted_schedulers: a}}",
            "dialects.huawei.accepted_schedulers: must be a list, each item a scheduler's name",
        ),
        ("checks: {memory_step: {severity: deny}}", "checks.memory_step.severity: must be error, warning or off, not 'deny'"),
        (
            "checks: {memory_step: off}",
            "checks.memory_step: must be a mapping of settings; `percard config` lists those of 'checks.memory_step'",
        ),
        (
            "checks: {scheduler_conflict: {severity: off}}",
            "checks.scheduler_conflict.severity: must be left out, not 'off'; set 'foreign_scheduler' to deny, warn or override instead",
        ),
    ],
)
def test_a_mistake_in_a_file_names_the_setting_and_its_line(file: Path, text: str, problem: str) -> None:
    file.write_text(f"# line 1\n{text}\n")
    (found,) = problems_of(file)
    assert found.startswith(problem)
    assert found.endswith(f" ({file}, line 2)")


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("PERCARD_SERVE_PORT", "1", "serve_port: is no setting; did you mean 'PERCARD_SERVE__PORT'? (variable PERCARD_SERVE_PORT)"),
        ("PERCARD_WORKLOAD", "off", "workload: is no setting; did you mean 'PERCARD_WORKLOADS'? (variable PERCARD_WORKLOAD)"),
        ("PERCARD_ZEBRA", "1", "zebra: is no setting; `percard config` lists all (variable PERCARD_ZEBRA)"),
        ("PERCARD_SERVE", "1", "serve: must be a mapping of settings; `percard config` lists those of 'serve' (variable PERCARD_SERVE)"),
        ("PERCARD_SERVE__PORT", "x", "serve.port: must be a whole number from 0 to 65535, not 'x' (variable PERCARD_SERVE__PORT)"),
        ("PERCARD_SERVE__PORT", "", "serve.port: must be a whole number from 0 to 65535, not '' (variable PERCARD_SERVE__PORT)"),
        ("PERCARD_INJECT_ENV", "1", "inject_env: must be true or false, not '1' (variable PERCARD_INJECT_ENV)"),
        (
            "PERCARD_SERVE__QUIET_PERIOD",
            "5",
            (
                "serve.quiet_period: must be a duration with its unit (ms, s, m, h) from '0s' to '10m', not '5'; write '5s'"
                " (variable PERCARD_SERVE__QUIET_PERIOD)"
            ),
        ),
    ],
)
def test_a_mistake_in_a_variable_names_setting_and_variable(name: str, text: str, problem: str) -> None:
    assert problems_of(environ={name: text}) == [problem]


def test_a_mistake_in_a_flag_names_setting_and_flag() -> None:
    assert problems_of(flags={"serve.ops_port": 70_000}) == [
        "serve.ops_port: must be a whole number from 0 to 65535, not '70000' (flag --ops-port)"
    ]


def test_all_mistakes_of_all_sources_are_told_at_once(file: Path) -> None:
    file.write_text("serve: {port: x, port: y}\nzebra: 1\n")
    found = problems_of(file, {"PERCARD_LOG__LEVEL": "loud"}, {"serve.host": ""})
    assert [problem.partition(":")[0] for problem in found] == [
        "serve.port",
        "serve.port",
        "serve.port",
        "zebra",
        "log.level",
        "serve.host",
    ]


def test_a_mistake_that_a_later_source_covers_is_still_one(file: Path) -> None:
    file.write_text("serve: {port: x}\n")
    assert len(problems_of(file, {}, {"serve.port": 1})) == 1


def test_a_missing_file_is_told_with_its_name(tmp_path: Path) -> None:
    missing = tmp_path / "none.yaml"
    assert problems_of(missing) == [f"the settings file cannot be read: No such file or directory ({missing})"]


@pytest.mark.parametrize("number", ["9" * 101, "9" * 5000, "-" + "9" * 5000])
@pytest.mark.parametrize("setting", ["serve.port", "serve.keep_alive", "serve.max_body", "dialects.huawei.memory_max_mib", "workloads"])
@pytest.mark.parametrize("unit", ["", "s", "Mi"])
def test_a_number_of_any_length_is_a_mistake_like_any_other(file: Path, setting: str, number: str, unit: str) -> None:
    file.write_text(
        "".join(f"{'  ' * depth}{name}:\n" for depth, name in enumerate(setting.split("."))).rstrip("\n") + f" {number}{unit}\n"
    )
    (told,) = problems_of(file)
    assert told.startswith(f"{setting}: must be ")
    assert len(told) < 400
    variable = f"PERCARD_{setting.replace('.', '__').upper()}"
    assert problems_of(environ={variable: f"{number}{unit}"})[0].startswith(f"{setting}: must be ")
