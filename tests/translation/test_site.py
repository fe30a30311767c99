"""What a site sets for a dialect holds for what is written in it, too."""

from typing import Any

import pytest

from tests.translation.pods import Object, huawei, volcengine
from webhook import Engine, load_settings
from webhook.core.translation import drafted
from webhook.core.writing import Draft
from webhook.wiring import build_translator

WORKED = volcengine((8192, 30), cards="2")


def site(**settings: Any) -> Engine:
    return build_translator(load_settings(None, {}, {f"dialects.{name.replace('__', '.')}": value for name, value in settings.items()}))


def draft(engine: Engine, obj: Object, target: str) -> Draft:
    (gpu,) = engine.examine(obj).pods
    return drafted(gpu, next(dialect for dialect in engine.dialects if dialect.id == target))


def amounts(engine: Engine, obj: Object, target: str) -> dict[str, Any]:
    (found,) = draft(engine, obj, target).amounts.values()
    return dict(found)


@pytest.mark.parametrize(("factor", "written"), [(1, 4096), (10, 410), (1024, 4)])
def test_the_memory_factor_divides_and_rounds_up(factor: int, written: int) -> None:
    # 4096 MiB are 409.6 tens of MiB
    engine = site(volcano_vgpu__memory_unit_mib=factor)
    assert amounts(engine, WORKED, "volcano_vgpu")["volcano.sh/vgpu-memory"] == written


def test_a_factor_without_its_step_still_never_gives_less() -> None:
    engine = site(hami__memory_unit_mib=10, hami__memory_step_mib=1)
    found = draft(engine, volcengine((8190, 30), cards="2"), "hami")
    # 4095 MiB on each card are 409.5 tens: 410
    assert found.granted[0][1].memory_mib == 4100
    assert amounts(engine, volcengine((8190, 30), cards="2"), "hami")["nvidia.com/gpumem"] == 410


def test_alibabas_unit_of_mib_is_written_in_mib_and_exact() -> None:
    engine = site(alibaba__memory_unit_mib=1)
    found = draft(engine, huawei((9, None), cards=1), "alibaba")
    assert [dict(given) for given in found.amounts.values()] == [{"aliyun.com/gpu-mem": 1152}]
    assert found.remarks == []


def test_the_cards_model_is_in_baidus_keys() -> None:
    assert set(amounts(site(baidu__card_model="t4_16g"), WORKED, "baidu")) == {
        "baidu.com/t4_16g_cgpu",
        "baidu.com/t4_16g_cgpu_memory",
        "baidu.com/t4_16g_cgpu_core",
    }


def test_the_size_of_a_card_turns_a_percentage_into_mib() -> None:
    limits = {"nvidia.com/gpu": 1, "nvidia.com/gpumem-percentage": 33}
    container = {"name": "app", "image": "registry.example/app:1", "resources": {"limits": limits}}
    spec = {"schedulerName": "hami-scheduler", "containers": [container]}
    obj = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "infer"}, "spec": spec}
    assert not draft(site(), obj, "huawei").is_possible
    # 33 % of 23028 MiB are 7599.24 MiB, of which HAMi gives 7599: 59.4 blocks of 128 MiB
    engine = site(hami__card_memory_mib=23_028)
    assert amounts(engine, obj, "huawei") == {"volcano.sh/gpu-mem.128Mi": 60}
    assert amounts(engine, obj, "volcano_vgpu") == {"volcano.sh/vgpu-number": 1, "volcano.sh/vgpu-memory-percentage": 33}


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"hami__memory_max_mib": 4095}, "4096 MiB on a card; HAMi gives at most 4095 MiB"),
        ({"hami__max_cards": 1}, "2 cards; HAMi gives at most 1"),
        ({"hami__core_step_percent": 30}, ""),
        ({"hami__core_min_percent": 20}, ""),
    ],
)
def test_a_sites_limits_hold_for_the_target(settings: dict[str, int], reason: str) -> None:
    found = draft(site(**settings), WORKED, "hami")
    assert [remark.text for remark in found.remarks if remark.outcome == "impossible"] == ([reason] if reason else [])


def test_a_step_that_leaves_nothing_below_a_whole_card_makes_it_impossible() -> None:
    # 95 % and steps of 30: the next would be 120 %
    found = draft(site(hami__core_step_percent=30), volcengine((4096, 95)), "hami")
    assert [remark.text for remark in found.remarks] == ["95 % of compute on a card; with steps of 30 the next is 120 %"]


def test_the_device_class_and_driver_are_the_sites() -> None:
    found = draft(site(dra__device_class="gpu.example.com", dra__device_driver="driver.example.com"), WORKED, "dra")
    (claim,) = found.claims.values()
    assert claim.spec["deviceClassName"] == "gpu.example.com"
    assert "driver.example.com" in found.remarks[0].text
