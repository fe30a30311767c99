"""Settings that are each in order and make no sense together are refused with the path to change."""

from typing import Any

import pytest

from webhook.settings import SettingsError, load_settings


@pytest.mark.parametrize(
    ("flags", "problem"),
    [
        ({"serve.cert": "c"}, "serve.key: must be given together with 'serve.cert' (flag --cert)"),
        ({"serve.key": "k"}, "serve.cert: must be given together with 'serve.key' (flag --key)"),
        (
            {"serve.cert": "c", "serve.key": "k", "serve.self_signed": True},
            "serve.self_signed: must be false where 'serve.cert' is given (flag --self-signed)",
        ),
        (
            {"serve.self_signed": True, "serve.names": []},
            "serve.names: must name what the self-signed certificate is made out to (flag --names)",
        ),
        (
            {"serve.client_names": ["a"]},
            "serve.client_ca: must be given where 'serve.client_names' is: names prove nothing without it (flag --client-names)",
        ),
        ({"serve.port": 8080}, "serve.ops_port: must differ from 'serve.port', 8080 (flag --port)"),
        (
            {"serve.quiet_period": "31s"},
            "serve.quiet_period: must not be longer than 'serve.max_quiet_period', 30s (flag --quiet-period)",
        ),
        (
            {"dialects.huawei.memory_unit_mib": 64},
            "dialects.huawei.memory_unit_mib: must be 128, not '64' (flag --memory-unit-mib)",
        ),
        (
            {"dialects.alibaba.memory_unit_mib": 512},
            "dialects.alibaba.memory_unit_mib: must be 1024 or 1, not '512' (flag --memory-unit-mib)",
        ),
        (
            {"dialects.huawei.memory_min_mib": 2048, "dialects.huawei.memory_max_mib": 1024},
            "dialects.huawei.memory_min_mib: must be at most 'memory_max_mib', 1024, not '2048' (flag --memory-min-mib)",
        ),
        (
            {"dialects.huawei.memory_max_mib": 64},
            "dialects.huawei.memory_min_mib: must be at most 'memory_max_mib', 64, not '128' (flag --memory-max-mib)",
        ),
        (
            {"dialects.volcengine.memory_min_multi_mib": 4096, "dialects.volcengine.memory_max_mib": 2048},
            "dialects.volcengine.memory_min_multi_mib: must be at most 'memory_max_mib', 2048, not '4096' (flag --memory-min-multi-mib)",
        ),
        (
            {"dialects.huawei.memory_step_mib": 1000, "dialects.huawei.memory_max_mib": 999},
            (
                "dialects.huawei.memory_step_mib: must leave a multiple between 'memory_min_mib', 128, and 'memory_max_mib', 999;"
                " '1000' leaves none (flag --memory-step-mib)"
            ),
        ),
        (
            {"target": "hammi"},
            (
                "target: must be one of alibaba, baidu, hami, huawei, kai, koordinator, tencent, volcano_vgpu, volcengine,"
                " not 'hammi' (flag --target)"
            ),
        ),
        (
            {"target": "dra"},
            (
                "target: must be one of alibaba, baidu, hami, huawei, kai, koordinator, tencent, volcano_vgpu, volcengine,"
                " not 'dra' (flag --target)"
            ),
        ),
        (
            {"target": "volcano_gpushare"},
            (
                "target: must be one of alibaba, baidu, hami, huawei, kai, koordinator, tencent, volcano_vgpu, volcengine,"
                " not 'volcano_gpushare' (flag --target)"
            ),
        ),
        (
            {"target": "hami", "dialects.hami.enabled": False},
            "dialects.hami.enabled: must not be false for the target that pods are rewritten into (flag --enabled)",
        ),
        ({"target": "baidu"}, "dialects.baidu.card_model: must be given: the keys of the target hold it (flag --target)"),
        (
            {"dialects.baidu.card_model": "h100_80g"},
            (
                "dialects.baidu.card_model: must be one of v100_16g, v100_32g, t4_16g, a100_40g, a100_80g, a800_80g, a30_24g, a10_24g,"
                " not 'h100_80g' (flag --card-model)"
            ),
        ),
        (
            {"whole_card_keys": ["aliyun.com/gpu-mem"]},
            (
                "whole_card_keys: must not cover 'aliyun.com/gpu-mem', with which the dialect alibaba asks for a part of a card"
                " (flag --whole-card-keys)"
            ),
        ),
        (
            {"dialects.alibaba.enabled": False, "dialects.huawei.enabled": False, "dialects.volcengine.enabled": False},
            "dialects.alibaba.enabled: must be true for one dialect at least: nothing would be examined (flag --enabled)",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(flags: dict[str, Any], problem: str) -> None:
    with pytest.raises(SettingsError) as refused:
        load_settings(None, {}, flags)
    assert str(refused.value) == problem


def test_a_pattern_that_covers_several_shares_is_refused_for_each() -> None:
    with pytest.raises(SettingsError) as refused:
        load_settings(None, {}, {"whole_card_keys": ["volcano.sh/gpu-*"]})
    assert [problem.message.split("'")[1] for problem in refused.value.problems] == [
        "volcano.sh/gpu-mem.128Mi",
        "volcano.sh/gpu-core.percentage",
    ]


@pytest.mark.parametrize(
    "flags",
    [
        {"serve.port": 0, "serve.ops_port": 0},
        {"serve.quiet_period": "30s", "serve.max_quiet_period": "30s"},
        {"serve.self_signed": True},
        {"serve.client_ca": "ca.pem"},
        {"dialects.huawei.memory_min_mib": 1024, "dialects.huawei.memory_max_mib": 1024},
        {"dialects.huawei.memory_step_mib": 1000, "dialects.huawei.memory_max_mib": 1000},
        {"dialects.alibaba.enabled": False, "dialects.huawei.enabled": False},
        {"whole_card_keys": []},
    ],
)
def test_what_just_goes_together_is_accepted(flags: dict[str, Any]) -> None:
    load_settings(None, {}, flags)


def test_a_contradiction_is_not_told_about_a_value_that_is_wrong_in_itself() -> None:
    with pytest.raises(SettingsError) as refused:
        load_settings(None, {}, {"serve.cert": "c", "serve.key": 3})
    assert str(refused.value) == "serve.key: must be the path of a file, not '3' (flag --key)"
