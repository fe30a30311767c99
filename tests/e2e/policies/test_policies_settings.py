"""A site's settings hold in its policies as they hold in the engine."""

from typing import Any

import pytest
import trustme

from tests.e2e.controlplane import control_plane
from tests.e2e.policies import cases
from tests.e2e.policies.agreement import differences
from tests.e2e.policies.client import Client
from tests.e2e.policies.floor import install
from tests.e2e.programs import Programs
from webhook import build_engine, load_settings

_DRAWN = 120
_STRICT = {
    "dialects.huawei.memory_step_mib": 384,
    "dialects.huawei.core_step_percent": 10,
    "dialects.huawei.scheduler_name": "gang",
    "dialects.volcengine.memory_step_mib": 128,
    "dialects.volcengine.memory_min_multi_mib": 2048,
    "dialects.volcengine.max_cards": 7,
    "dialects.alibaba.memory_unit_mib": 1,
    "dialects.alibaba.max_cards": 4,
    "dialects.alibaba.memory_max_mib": 8192,
    "dialects.alibaba.scheduler_name": "ack-scheduler",
    "foreign_scheduler": "override",
    "whole_card_keys": ["example.com/fpga", "nvidia.com/mig-*"],
    "annotation_prefix": "gpu.example",
}
_LENIENT = {
    "dialects.alibaba.memory_step_mib": 128,
    "dialects.alibaba.accepted_schedulers": ["volcano"],
    "dialects.huawei.enabled": False,
    "checks.memory_step.severity": "off",
    "checks.core_step.severity": "warning",
    "checks.excluded_resource.severity": "warning",
    "checks.unknown_key.severity": "error",
    "checks.isolation_bypass.severity": "error",
    "checks.misplaced_key.severity": "error",
    "foreign_scheduler": "warn",
    "workloads": "warning",
}


@pytest.mark.parametrize("settings", [_STRICT, _LENIENT], ids=["strict", "lenient"])
def test_policies_for_settings_judge_and_patch_as_the_engine_does_under_the_same(
    settings: dict[str, Any], programs: Programs, authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with control_plane(programs, tmp_path_factory.mktemp("settings"), authority) as cluster, Client(cluster) as client:
        floor = install(client, build_engine(load_settings(None, {}, settings)))
        found = [difference for case in [*cases.goldens(), *cases.drawn(_DRAWN, _DRAWN)] for difference in differences(floor, case)]
        assert not found, "\n".join(found[:10])
        assert floor.failures() == []
        assert floor.type_warnings() == []
