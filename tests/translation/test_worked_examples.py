"""Two cards of 4096 MiB and 15 %, and the vendors' own three examples, in all ten dialects: worked out by hand."""

from typing import Any

import pytest

from tests.translation.pods import TARGETS, Object, alibaba, dialect, draft_of, huawei, outcomes, read, volcengine, written

A10 = "baidu.com/a10_24g_cgpu"
POLICY = {"vke.volcengine.com/mgpu-compute-policy": "native-burst-share"}
LISTED = {"vke.volcengine.com/container-multiple-gpu": "2", **POLICY}
HUAWEI, ALIBABA = {"volcano.sh/gpu-num": "2"}, {"aliyun.com/gpu-count": "2"}
KAI = {"gpu-fraction-num-devices": "2"}

# 8192 MiB and 30 % over two cards.
WORKED = volcengine((8192, 30), cards="2")
# The examples of the vendors' pages: 4096 MiB and 30 % over two cards; 64 blocks of 128 MiB over two; 8 GiB over two.
VOLCENGINE = volcengine((4096, 30), cards="2")
HUAWEI_EXAMPLE = huawei((64, None), cards=2)
ALIBABA_EXAMPLE = alibaba((8, None), cards=2)

# target → resources, labels, annotations, remarks (the worst first); None: cannot be written.
Row = tuple[dict[str, Any], dict[str, str], dict[str, str], list[str]] | None

EXAMPLES: dict[str, tuple[Object, dict[str, Row]]] = {
    "the worked example": (
        WORKED,
        {
            "huawei": ({"volcano.sh/gpu-mem.128Mi": 64, "volcano.sh/gpu-core.percentage": 30}, HUAWEI, {}, []),
            "alibaba": ({"aliyun.com/gpu-mem": 8}, ALIBABA, {}, ["lost", "assumed"]),
            "hami": ({"nvidia.com/gpu": 2, "nvidia.com/gpumem": 4096, "nvidia.com/gpucores": 15}, {}, {}, []),
            "volcano_vgpu": (
                {"volcano.sh/vgpu-number": 2, "volcano.sh/vgpu-memory": 4096, "volcano.sh/vgpu-cores": 15},
                {},
                {},
                ["assumed"],
            ),
            "koordinator": (
                {"koordinator.sh/gpu.shared": 2, "koordinator.sh/gpu-memory": "8Gi", "koordinator.sh/gpu-core": 30},
                {},
                {},
                [],
            ),
            "kai": ({}, {}, {"gpu-memory": "4096", **KAI}, ["lost", "assumed"]),
            "tencent": None,
            "baidu": ({A10: 2, f"{A10}_core": 30, f"{A10}_memory": 8}, {}, {}, []),
        },
    ),
    "Volcengine's example": (
        VOLCENGINE,
        {
            "huawei": ({"volcano.sh/gpu-mem.128Mi": 32, "volcano.sh/gpu-core.percentage": 30}, HUAWEI, {}, []),
            "alibaba": ({"aliyun.com/gpu-mem": 4}, ALIBABA, {}, ["lost", "assumed"]),
            "hami": ({"nvidia.com/gpu": 2, "nvidia.com/gpumem": 2048, "nvidia.com/gpucores": 15}, {}, {}, []),
            "volcano_vgpu": (
                {"volcano.sh/vgpu-number": 2, "volcano.sh/vgpu-memory": 2048, "volcano.sh/vgpu-cores": 15},
                {},
                {},
                ["assumed"],
            ),
            "koordinator": (
                {"koordinator.sh/gpu.shared": 2, "koordinator.sh/gpu-memory": "4Gi", "koordinator.sh/gpu-core": 30},
                {},
                {},
                [],
            ),
            "kai": ({}, {}, {"gpu-memory": "2048", **KAI}, ["lost", "assumed"]),
            "tencent": None,
            "baidu": ({A10: 2, f"{A10}_core": 30, f"{A10}_memory": 4}, {}, {}, []),
        },
    ),
    "Huawei's example": (
        HUAWEI_EXAMPLE,
        {
            "volcengine": None,
            "alibaba": ({"aliyun.com/gpu-mem": 8}, ALIBABA, {}, ["assumed"]),
            "hami": ({"nvidia.com/gpu": 2, "nvidia.com/gpumem": 4096}, {}, {}, []),
            "volcano_vgpu": ({"volcano.sh/vgpu-number": 2, "volcano.sh/vgpu-memory": 4096}, {}, {}, ["assumed"]),
            "koordinator": ({"koordinator.sh/gpu.shared": 2, "koordinator.sh/gpu-memory": "8Gi"}, {}, {}, []),
            "kai": ({}, {}, {"gpu-memory": "4096", **KAI}, ["assumed"]),
            "tencent": None,
            "baidu": ({A10: 2, f"{A10}_memory": 8}, {}, {}, []),
        },
    ),
    "Alibaba's example": (
        ALIBABA_EXAMPLE,
        {
            "volcengine": None,
            "huawei": ({"volcano.sh/gpu-mem.128Mi": 64}, HUAWEI, {}, ["assumed"]),
            "hami": ({"nvidia.com/gpu": 2, "nvidia.com/gpumem": 4096}, {}, {}, ["assumed"]),
            "volcano_vgpu": ({"volcano.sh/vgpu-number": 2, "volcano.sh/vgpu-memory": 4096}, {}, {}, ["assumed", "assumed"]),
            "koordinator": ({"koordinator.sh/gpu.shared": 2, "koordinator.sh/gpu-memory": "8Gi"}, {}, {}, ["assumed"]),
            "kai": ({}, {}, {"gpu-memory": "4096", **KAI}, ["assumed", "assumed"]),
            "tencent": None,
            "baidu": ({A10: 2, f"{A10}_memory": 8}, {}, {}, ["assumed"]),
        },
    ),
}
CASES = [(name, source, target, row) for name, (source, rows) in EXAMPLES.items() for target, row in rows.items()]


def test_each_example_is_tried_in_all_ten_dialects() -> None:
    for source, rows in EXAMPLES.values():
        assert {read(source).dialect.id, *rows, "dra"} == set(TARGETS)
    assert len(TARGETS) == 10


@pytest.mark.parametrize(("name", "source", "target", "row"), CASES, ids=[f"{case[0]} in {case[2]}" for case in CASES])
def test_an_example_comes_out_as_worked_out_by_hand(name: str, source: Object, target: str, row: Row) -> None:
    draft = draft_of(source, target)
    if row is None:
        assert outcomes(draft)[0] == "impossible", name
        return
    resources, labels, annotations, remarks = row
    assert list(draft.amounts.values()) == [resources]
    assert (draft.labels, draft.annotations, outcomes(draft)) == (labels, annotations, remarks)


@pytest.mark.parametrize(
    ("source", "memory", "cores"),
    [(WORKED, "4Gi", "15"), (VOLCENGINE, "2Gi", "15"), (HUAWEI_EXAMPLE, "4Gi", None), (ALIBABA_EXAMPLE, "4Gi", None)],
    ids=list(EXAMPLES),
)
def test_an_example_becomes_a_claim(source: Object, memory: str, cores: str | None) -> None:
    draft = draft_of(source, "dra")
    (claim,) = draft.claims.values()
    capacity = {"memory": memory} if cores is None else {"memory": memory, "cores": cores}
    assert claim.spec == {
        "deviceClassName": "vgpu-manager",
        "allocationMode": "ExactCount",
        "count": 2,
        "capacity": {"requests": capacity},
    }
    assert draft.is_lossless


@pytest.mark.parametrize(
    ("source", "target"),
    [pytest.param(source, target, id=f"{name} in {target}") for name, source, target, row in CASES if row is not None],
)
def test_what_is_written_is_in_order_and_names_the_scheduler(source: Object, target: str) -> None:
    obj = written(source, target)
    gpu = read(obj)
    assert gpu.dialect.id == target
    assert obj["spec"].get("schedulerName", "default-scheduler") == dialect(target).scheduler_name
    for container in obj["spec"]["containers"]:
        resources = container.get("resources", {})
        assert resources.get("limits") == resources.get("requests")


@pytest.mark.parametrize("target", ["huawei", "alibaba", "hami", "kai"])
def test_nothing_of_the_source_stays(target: str) -> None:
    obj = written(WORKED, target)
    assert "volcengine" not in str(obj)
    assert obj["metadata"]["labels"]["app"] == "infer"


def test_the_worked_example_from_every_dialect_is_volcengines() -> None:
    for target in ("huawei", "hami", "volcano_vgpu", "koordinator", "baidu"):
        back = draft_of(written(WORKED, target), "volcengine")
        assert list(back.amounts.values()) == [{"vke.volcengine.com/mgpu-memory": 8192, "vke.volcengine.com/mgpu-core": 30}]
        assert back.annotations == LISTED
        assert back.is_lossless
