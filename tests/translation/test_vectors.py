"""The further stacks' own rules: figures of their documents and of the conditions under which their code refuses a pod."""

from fractions import Fraction
from typing import Any

import pytest

from tests.translation.pods import Object, engine, pod
from webhook.core.share import Stage

VGPU = "volcano.sh/vgpu"
KOORDINATOR = "koordinator.sh/gpu"
TENCENT = "tke.cloud.tencent.com/qgpu"
BAIDU = "baidu.com/v100_32g_cgpu"
HAMI = "nvidia.com/gpu"


def hami(**limits: Any) -> Object:
    return pod(
        {f"{HAMI}{key.removeprefix('gpu').replace('_', '-')}": value for key, value in limits.items()}, schedulerName="hami-scheduler"
    )


def vgpu(**limits: Any) -> Object:
    return pod({f"{VGPU}-{key.replace('_', '-')}": value for key, value in limits.items()}, schedulerName="volcano")


def koordinator(**limits: Any) -> Object:
    keys = {
        f"{KOORDINATOR}{ {'shared': '.shared', 'gpu': ''}.get(key, '-' + key.replace('_', '-')) }": value for key, value in limits.items()
    }
    return pod(keys, schedulerName="koord-scheduler")


def kai(*containers: dict[str, Any], **annotations: str) -> Object:
    keys = {f"gpu-{key.replace('_', '-')}": value for key, value in annotations.items()}
    return pod(*(containers or ({},)), annotations=keys, schedulerName="kai-scheduler")


def tencent(core: Any = None, memory: Any = None) -> Object:
    limits = {f"{TENCENT}-core": core, f"{TENCENT}-memory": memory}
    return pod({key: value for key, value in limits.items() if value is not None})


def baidu(cards: Any = None, **limits: Any) -> Object:
    keys = {f"{BAIDU}_{key}": value for key, value in limits.items()}
    return pod({**({} if cards is None else {BAIDU: cards}), **keys})


# A pod → cards, MiB on each card, percent of its memory, percent of its compute; None: not limited. "whole": whole cards.
ALLOWED: list[tuple[str, Object, Any]] = [
    # Project-HAMi/HAMi, README and examples: figures are per card.
    ("HAMi: memory on one card", hami(gpu=1, gpumem=3000), (1, 3000, None, None)),
    ("HAMi: two cards", hami(gpu=2, gpumem=10240, gpucores=30), (2, 10240, None, 30)),
    ("HAMi: a percentage of memory", hami(gpu=1, gpumem_percentage=50, gpucores=50), (1, None, 50, 50)),
    ("HAMi: memory alone is one card", hami(gpumem=2000), (1, 2000, None, None)),
    ("HAMi: compute alone leaves all memory", hami(gpu=2, gpucores=25), (2, None, 100, 25)),
    ("HAMi: 100 % of compute and no memory key is a whole card", hami(gpu=2, gpucores=100), "whole"),
    ("HAMi: 100 % of compute keeps a memory limit", hami(gpu=1, gpumem=4096, gpucores=100), (1, 4096, None, 100)),
    ("HAMi: 100 % of memory is a whole card", hami(gpu=1, gpumem_percentage=100), "whole"),
    # volcano-vgpu-device-plugin, README.
    ("vGPU: memory and compute", vgpu(number=2, memory=3000, cores=50), (2, 3000, None, 50)),
    ("vGPU: a percentage", vgpu(number=1, memory_percentage=50), (1, None, 50, None)),
    ("vGPU: a number alone is whole cards", vgpu(number=2), "whole"),
    ("vGPU: memory alone is one card", vgpu(memory=1024), (1, 1024, None, None)),
    # Koordinator: totals; bytes.
    ("Koordinator: memory over two cards", koordinator(shared=2, memory="16Gi", core=100), (2, 8192, None, 50)),
    ("Koordinator: bytes are rounded down to each card", koordinator(shared=3, memory="8Gi"), (3, 2730, None, None)),
    ("Koordinator: ratio", koordinator(memory_ratio=50, core=50), (1, None, 50, 50)),
    ("Koordinator: ratio above one card", koordinator(memory_ratio=200), "whole"),
    ("Koordinator: both at once", koordinator(gpu=50), (1, None, 50, 50)),
    ("Koordinator: both, whole cards", koordinator(gpu=200), "whole"),
    ("Koordinator: both over two cards", koordinator(gpu=100, shared=2), (2, None, 50, 50)),
    # KAI, GPU sharing: per card.
    ("KAI: half a card", kai(fraction="0.5"), (1, None, 50, None)),
    ("KAI: memory", kai(memory="2000"), (1, 2000, None, None)),
    ("KAI: three cards", kai(fraction="0.25", fraction_num_devices="3"), (3, None, 25, None)),
    ("KAI: memory on two cards", kai(memory="4096", fraction_num_devices="2"), (2, 4096, None, None)),
    # TKE: 160 % and 60 GiB are two cards of 80 % and 30 GiB; 121 % and 31 GiB two of 60 % and 15 GiB.
    ("Tencent: part of a card", tencent(30, 8), (1, 8192, None, 30)),
    ("Tencent: memory alone", tencent(memory=5), (1, 5120, None, None)),
    ("Tencent: two cards", tencent(160, 60), (2, 30720, None, 80)),
    ("Tencent: two cards, rounded down", tencent(121, 31), (2, 15360, None, 60)),
    ("Tencent: whole cards", tencent(200), "whole"),
    # CCE: 2 cards, 50 % and 10 GiB are 25 % and 5 GiB on each.
    ("Baidu: two cards", baidu(2, core=50, memory=10), (2, 5120, None, 25)),
    ("Baidu: memory alone", baidu(2, memory=10), (2, 5120, None, None)),
    ("Baidu: a percentage", baidu(1, memory_percent=50, core=50), (1, None, 50, 50)),
    ("Baidu: cards alone", baidu(1), "whole"),
    # Volcano's older plugin: memory on one card, or whole cards.
    ("gpushare: memory", pod({"volcano.sh/gpu-memory": 1024}, schedulerName="volcano"), (1, 1024, None, None)),
    ("gpushare: cards", pod({"volcano.sh/gpu-number": 2}, schedulerName="volcano"), "whole"),
]
# A pod that its stack refuses, places wrongly or never places → the checks that say so.
REFUSED: list[tuple[str, Object, list[str]]] = [
    ("HAMi: bytes are no MiB", hami(gpu=1, gpumem="4Gi"), ["quantity"]),
    ("HAMi: beyond 31 bits", hami(gpu=1, gpumem=2147483648), ["memory-range"]),
    ("HAMi: more than all memory", hami(gpu=1, gpumem_percentage=101), ["memory-percent"]),
    ("HAMi: no memory at all", hami(gpu=1, gpumem=0), ["quantity"]),
    ("HAMi: more than all compute", hami(gpu=1, gpumem=1000, gpucores=150), ["core-range"]),
    ("HAMi: memory twice", hami(gpu=1, gpumem=1000, gpumem_percentage=50), ["resource-set"]),
    ("HAMi: more cards than any node", hami(gpu=65, gpumem=1000), ["card-count"]),
    ("vGPU: compute alone", vgpu(cores=50), ["resource-set"]),
    ("vGPU: memory twice", vgpu(number=1, memory=1000, memory_percentage=50), ["resource-set"]),
    ("vGPU: memory that wraps to nothing", vgpu(number=1, memory="4Gi"), ["quantity"]),
    ("vGPU: more than all compute", vgpu(number=1, memory=1000, cores=101), ["core-range"]),
    ("Koordinator: compute alone", koordinator(core=50), ["resource-set"]),
    ("Koordinator: memory twice", koordinator(memory="8Gi", memory_ratio=50), ["resource-set"]),
    ("Koordinator: both beside a part", koordinator(gpu=50, core=50), ["resource-set"]),
    ("Koordinator: one card and a half", koordinator(memory_ratio=150), ["memory-percent"]),
    ("Koordinator: compute that does not divide", koordinator(shared=2, memory="8Gi", core=75), ["core-step"]),
    ("Koordinator: ratio that does not divide", koordinator(shared=2, memory_ratio=75), ["memory-percent"]),
    ("Koordinator: more than the cards", koordinator(shared=2, memory="8Gi", core=202), ["core-range"]),
    ("Koordinator: MiB where bytes are counted", koordinator(memory=8192), ["memory-range"]),
    ("KAI: memory and fraction", kai(fraction="0.5", memory="1000"), ["resource-set"]),
    ("KAI: a whole card", kai(fraction="1"), ["pod-request"]),
    ("KAI: no number", kai(fraction="NaN"), ["pod-request"]),
    ("KAI: a number that only Go reads", kai(fraction="0x1p-1"), ["pod-request"]),
    ("KAI: nothing", kai(fraction="0.0"), ["pod-request"]),
    ("KAI: memory of nothing", kai(memory="0"), ["quantity"]),
    ("KAI: memory with a unit", kai(memory="4Gi"), ["quantity"]),
    ("KAI: beyond 63 bits", kai(memory="9223372036854775808"), ["memory-range"]),
    ("KAI: devices without a part", kai(fraction_num_devices="2"), ["resource-set"]),
    ("KAI: no devices", kai(fraction="0.5", fraction_num_devices="0"), ["card-count"]),
    ("KAI: whole cards beside a part", kai({"nvidia.com/gpu": 1}, fraction="0.5"), ["excluded-resource"]),
    ("KAI: no such container", kai(fraction="0.5", fraction_container_name="worker"), ["pod-request"]),
    ("Tencent: no multiple of 5", tencent(33, 8), ["core-step"]),
    ("Tencent: memory beside whole cards", tencent(200, 40), ["whole-card-memory"]),
    ("Tencent: compute without memory", tencent(50), ["memory-missing"]),
    ("Tencent: no whole GiB", tencent(50, "500m"), ["quantity"]),
    ("Baidu: compute without memory", baidu(2, core=50), ["resource-set"]),
    ("Baidu: memory without cards", baidu(memory=10), ["resource-set"]),
    ("Baidu: compute that does not divide", baidu(2, core=51, memory=10), ["core-step"]),
    ("Baidu: memory that does not divide", baidu(2, core=50, memory=11), ["memory-step"]),
    ("Baidu: less than 5 %", baidu(2, core=8, memory=10), ["core-range"]),
    ("gpushare: memory and cards", pod({"volcano.sh/gpu-memory": 1024, "volcano.sh/gpu-number": 1}), ["resource-set"]),
]


def errors(obj: Object, stage: Stage = Stage.MANIFEST) -> list[str]:
    return sorted({finding.check for finding in engine().examine(obj, stage=stage).errors})


@pytest.mark.parametrize(("obj", "expected"), [case[1:] for case in ALLOWED], ids=[case[0] for case in ALLOWED])
def test_a_documented_example_is_in_order_and_read_as_documented(obj: Object, expected: Any) -> None:
    assert errors(obj) == []
    (gpu,) = engine().examine(obj).pods
    (share,) = gpu.shares
    cards = share.cards or 0
    if expected == "whole":
        assert share.whole
        return
    percent = None if share.memory_percent is None else Fraction(share.memory_percent, cards)
    assert not share.whole
    assert (cards, share.per_card(share.memory_mib), percent, share.per_card(share.core_percent)) == expected


@pytest.mark.parametrize(("obj", "checks"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_what_a_stack_refuses_or_loses_is_an_error(obj: Object, checks: list[str]) -> None:
    assert errors(obj) == checks
