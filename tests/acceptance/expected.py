"""What is expected of each example, worked out by hand: figures of each card, patches, answers to mistakes."""

from typing import Any

MEMORY = {
    "volcengine": "vke.volcengine.com/mgpu-memory",
    "huawei": "volcano.sh/gpu-mem.128Mi",
    "alibaba": "aliyun.com/gpu-mem",
}
CORE = {
    "volcengine": "vke.volcengine.com/mgpu-core",
    "huawei": "volcano.sh/gpu-core.percentage",
    "alibaba": "aliyun.com/gpu-core.percentage",
}
LIST = "vke.volcengine.com/container-multiple-gpu"
POLICY = "vke.volcengine.com/mgpu-compute-policy"

# Cards, MiB of each card, percent of each card: 4096 MiB and 30 % over 2; 64 × 128 MiB over 2, without and with 30 %; 8 GiB over 2.
CARDS: dict[str, tuple[int, int, int | None]] = {
    "volcengine/deployment.yaml": (2, 2048, 15),
    "huawei/deployment.yaml": (2, 4096, None),
    "huawei/without-scheduler.yaml": (2, 4096, 15),
    "alibaba/job.yaml": (2, 4096, None),
}

LIMITS = "percard.webhook/limits"
PATCHES: dict[str, list[dict[str, Any]]] = {
    "volcengine/deployment.yaml": [
        {
            "op": "add",
            "path": "/metadata/annotations/percard.webhook~1limits",
            "value": '{"containers":{"worker":{"cards":2,"corePercent":15,"memoryMiB":2048}},"dialect":"volcengine"}',
        }
    ],
    "huawei/deployment.yaml": [
        {
            "op": "add",
            "path": "/metadata/annotations",
            "value": {LIMITS: '{"containers":{"worker":{"cards":2,"memoryMiB":4096}},"dialect":"huawei"}'},
        }
    ],
    "huawei/without-scheduler.yaml": [
        {"op": "replace", "path": "/spec/schedulerName", "value": "volcano"},
        {
            "op": "add",
            "path": "/metadata/annotations",
            "value": {LIMITS: '{"containers":{"worker":{"cards":2,"corePercent":15,"memoryMiB":4096}},"dialect":"huawei"}'},
        },
    ],
    "alibaba/job.yaml": [
        {
            "op": "add",
            "path": "/metadata/annotations",
            "value": {LIMITS: '{"containers":{"worker":{"cards":2,"memoryAtLeast":true,"memoryMiB":4096}},"dialect":"alibaba"}'},
        }
    ],
}

_FIRST, _SECOND = ("spec.template.spec.containers[0]", "spec.template.spec.containers[1]")
# Check id, field path, arithmetic or what else is wrong, what to write instead, card counts that would do.
Mistake = tuple[str, str, str, list[str], list[int]]
MISTAKES: dict[str, list[Mistake]] = {
    # 4096 = 3 × 1365 + 1; 4096 / 2 divides, 30 / 4 does not, and 5 and more cards would get less than 1024 MiB each
    "volcengine/uneven-memory.yaml": [
        (
            "memory-step",
            f"{_FIRST}.resources.limits[{MEMORY['volcengine']}]",
            "4096 MiB over 3 cards, 1365 1/3 MiB each",
            ["4095", "4098"],
            [2],
        )
    ],
    # 1536 / 2 = 768, below 1024; 2 × 1024 = 2048; one card would get all 1536
    "volcengine/too-little-memory.yaml": [
        ("memory-range", f"{_FIRST}.resources.limits[{MEMORY['volcengine']}]", "1536 MiB over 2 cards, 768 MiB each", ["2048"], [1])
    ],
    # 4 × 1024³ taken as a count of MiB; 4 GiB are 4096 MiB
    "volcengine/memory-with-unit.yaml": [
        ("quantity", f"{_FIRST}.resources.limits[{MEMORY['volcengine']}]", "'4Gi' is 4294967296 MiB", ["4096"], [])
    ],
    "volcengine/list-too-long.yaml": [
        ("card-list", f"spec.template.metadata.annotations[{LIST}]", "3 entries for 2 containers ('worker', 'metrics')", ["N,0"], [])
    ],
    "volcengine/other-policy.yaml": [
        ("compute-policy", f"spec.template.metadata.annotations[{POLICY}]", "'fixed-share'", ["native-burst-share"], [])
    ],
    # 1 % on each of 2 cards
    "volcengine/memory-without-compute.yaml": [
        ("core-missing", f"{_FIRST}.resources.limits[{CORE['volcengine']}]", "memory without compute", ["2"], [])
    ],
    # 64 × 128 = 8192; 63 / 3 = 21 and 66 / 3 = 22 blocks; 64 / 2 and 64 / 4 divide
    "huawei/uneven-memory.yaml": [
        (
            "memory-step",
            f"{_FIRST}.resources.limits[{MEMORY['huawei']}]",
            "8192 MiB over 3 cards, 2730 2/3 MiB each",
            ["63", "66"],
            [2, 4],
        )
    ],
    # 5 % on each of 2 cards are 10; 0 is no share
    "huawei/uneven-compute.yaml": [
        ("core-step", f"{_FIRST}.resources.limits[{CORE['huawei']}]", "5 % over 2 cards, 2 1/2 % each", ["10"], [1])
    ],
    # 1 block on each of 2 cards
    "huawei/compute-without-memory.yaml": [
        ("memory-missing", f"{_FIRST}.resources.limits[{MEMORY['huawei']}]", "compute without memory", ["2"], [])
    ],
    "huawei/whole-card-beside-share.yaml": [
        ("excluded-resource", f"{_SECOND}.resources.limits[nvidia.com/gpu]", "nvidia.com/gpu '1' asks for whole cards", [], [])
    ],
    "huawei/foreign-scheduler.yaml": [("scheduler-conflict", "spec.template.spec.schedulerName", "'kai-scheduler'", [], [])],
    "huawei/two-clouds.yaml": [
        ("mixed-dialects", f"{_FIRST}.resources.limits[{MEMORY['huawei']}]", f"beside {MEMORY['alibaba']} of Alibaba", [], []),
        ("mixed-dialects", f"{_FIRST}.resources.limits[{MEMORY['alibaba']}]", f"beside {MEMORY['huawei']} of Huawei", [], []),
    ],
    # 63 × 128 = 8064, half of it is 31 1/2 blocks; half of 25 % is 12 1/2 %; 8 GiB are 64 blocks
    "huawei/five-mistakes.yaml": [
        (
            "memory-step",
            f"spec.containers[0].resources.limits[{MEMORY['huawei']}]",
            "8064 MiB over 2 cards, 4032 MiB each",
            ["62", "64"],
            [],
        ),
        ("core-step", f"spec.containers[0].resources.limits[{CORE['huawei']}]", "25 % over 2 cards, 12 1/2 % each", ["20", "30"], []),
        ("memory-missing", f"spec.containers[1].resources.limits[{MEMORY['huawei']}]", "compute without memory", ["2"], []),
        ("quantity", f"spec.containers[2].resources.limits[{MEMORY['huawei']}]", "'8Gi' is 8589934592 blocks", ["64"], []),
        ("excluded-resource", "spec.containers[2].resources.limits[nvidia.com/gpu]", "nvidia.com/gpu '1' asks for whole cards", [], []),
    ],
    # whole GiB only: 6 / 3 = 2 and 9 / 3 = 3; 8 / 2 and 8 / 4 divide
    "alibaba/uneven-memory.yaml": [
        (
            "memory-step",
            f"{_FIRST}.resources.limits[{MEMORY['alibaba']}]",
            "8192 MiB over 3 cards, 2730 2/3 MiB each",
            ["6", "9"],
            [2, 4],
        )
    ],
    "alibaba/compute-over-two-cards.yaml": [
        ("compute-unsupported", f"{_FIRST}.resources.limits[{CORE['alibaba']}]", "'30' asks for compute on 2 cards", [], [])
    ],
    "alibaba/memory-with-unit.yaml": [
        ("quantity", f"{_FIRST}.resources.limits[{MEMORY['alibaba']}]", "'8Gi' is 8589934592 GiB", ["8"], [])
    ],
    "alibaba/count-on-the-job.yaml": [("misplaced-key", "metadata.labels[aliyun.com/gpu-count]", "the labels of the Job", [], [])],
}
ONLY_WARNED = {"alibaba/count-on-the-job.yaml"}
