"""HAMi: shares that the node enforces, per card.

Every figure is what one card gives; a container gets as many different cards as it names.

| what | where | unit |
|---|---|---|
| cards | `nvidia.com/gpu` in limits | a number; without it one card |
| memory | `nvidia.com/gpumem` in limits | MiB on each card, times HAMi's `memoryFactor` |
| memory | `nvidia.com/gpumem-percentage` in limits | percent of each card's memory, instead of MiB |
| compute | `nvidia.com/gpucores` in limits | percent of each card; without it not limited |

`nvidia.com/gpu` alone is no mark: every stack knows it. Beside a HAMi key it is the card count, and a container of such a
pod that asks for nothing else takes its cards whole. Memory left out is all of the card's. Where HAMi is set up with
another `memoryFactor`, `memory_unit_mib` must say so. Init containers get cards of their own.

Stricter than HAMi: a value meant in bytes (`4Gi`) is admitted there and asks for nothing, 150 % is cut to 100 %, and
memory beside a percentage of it wins silently. percard refuses all three. HAMi's own webhook refuses privileged containers; percard
warns of them, and writes none for HAMi.

Read by `percard convert`, and elsewhere where `enabled` is true or HAMi is the `target`.

Sources: Project-HAMi/HAMi, `pkg/device/nvidia/device.go` and `pkg/scheduler/webhook.go`.
"""

from webhook.core.counting import read_counted_shares
from webhook.core.finding import quoted
from webhook.core.plugin import Dialect
from webhook.core.pod import mapping
from webhook.core.portions import WHOLE, WHOLE_CARD_PERCENT
from webhook.core.writing import Draft


def _write(draft: Draft) -> None:
    keys = draft.dialect.resources
    for where, container in draft.containers:
        if mapping(container.get("securityContext")).get("privileged") is True and any(
            where == portion.where for portion in draft.portions
        ):
            draft.remark(
                "impossible", f"container {quoted(container.get('name'))} is privileged; HAMi's webhook refuses privileged containers"
            )
    for portion in draft.portions:
        if portion.whole:
            draft.give(portion, {keys["cards"]: portion.cards, keys["core"]: WHOLE_CARD_PERCENT}, WHOLE)
        else:
            draft.share(portion)


DIALECT = Dialect(
    id="hami",
    title="HAMi",
    page=__doc__,
    resources={
        "cards": "nvidia.com/gpu",
        "memory": "nvidia.com/gpumem",
        "memory_percent": "nvidia.com/gpumem-percentage",
        "core": "nvidia.com/gpucores",
    },
    amounts_per_card=True,
    families=("nvidia.com/gpumem", "nvidia.com/gpucore"),
    further_keys=dict.fromkeys(
        (
            "nvidia.com/use-gputype",
            "nvidia.com/nouse-gputype",
            "nvidia.com/use-gpuuuid",
            "nvidia.com/nouse-gpuuuid",
            "nvidia.com/vgpu-mode",
            "nvidia.com/numa-bind",
            "hami.io/node-scheduler-policy",
            "hami.io/gpu-scheduler-policy",
        ),
        "annotations",
    ),
    reserved_keys=("hami.io/vgpu-*", "hami.io/bind-*"),
    isolation_env=("CUDA_DEVICE_MEMORY_LIMIT*", "CUDA_DEVICE_SM_LIMIT", "GPU_CORE_UTILIZATION_POLICY", "CUDA_OVERSUBSCRIBE", "LD_PRELOAD"),
    isolation_flags=("CUDA_OVERSUBSCRIBE",),
    # Memory beside a percentage of it: HAMi takes the one, percard asks which was meant.
    resource_sets=tuple(
        frozenset((*count, *memory, *core))
        for count in ((), ("cards",))
        for memory in ((), ("memory",), ("memory_percent",))
        for core in ((), ("core",))
    ),
    init_containers_share=True,
    full_compute_is_whole_card=False,
    memory_units_mib=(),
    isolation={
        "memory": "isolated by HAMi-core inside the container",
        "compute": "isolated by HAMi-core inside the container",
    },
    read=read_counted_shares,
    write=_write,
    enabled=False,
    scheduler_name="hami-scheduler",
)
