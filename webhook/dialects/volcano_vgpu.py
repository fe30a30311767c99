"""Volcano vGPU: shares of open-source Volcano's device share plugin, per card.

Every figure is what one card gives; a container gets as many different cards as it names.

| what | where | unit |
|---|---|---|
| cards | `volcano.sh/vgpu-number` in limits | a number; without it one card |
| memory | `volcano.sh/vgpu-memory` in limits | MiB on each card, times the device plugin's `--gpu-memory-factor` |
| memory | `volcano.sh/vgpu-memory-percentage` in limits | percent of each card's memory, instead of MiB |
| compute | `volcano.sh/vgpu-cores` in limits | percent of each card; without it not limited |

The factor is a fact of the cluster that no manifest tells: sites run 1, 10 or 1024. `memory_unit_mib` is the factor, 1
unless it is set. Memory left out is all of the card's. Compute alone asks for nothing: the scheduler looks for cards or
memory. Init containers are not looked at.

Stricter than Volcano: memory wraps there at 32 bits (`4Gi` asks for a whole card), the percentage wins over memory where
both are set (HAMi has it the other way round), and more than 100 % of compute never fits. percard refuses all three.

`volcano.sh/gpu-num` and `volcano.sh/gpu-mem.128Mi` are Huawei's, `volcano.sh/gpu-memory` and `volcano.sh/gpu-number` are
those of the older gpushare plugin.

Read by `percard convert`, and elsewhere where `enabled` is true or this is the `target`.

Sources: volcano-sh/volcano, `pkg/scheduler/api/devices/nvidia/vgpu`; volcano-sh/volcano-vgpu-device-plugin.
"""

from webhook.core.counting import read_counted_shares
from webhook.core.plugin import Dialect
from webhook.core.portions import WHOLE, WHOLE_CARD_PERCENT
from webhook.core.writing import Draft


def _write(draft: Draft) -> None:
    keys = draft.dialect.resources
    for portion in draft.portions:
        if portion.whole:
            draft.give(portion, {keys["cards"]: portion.cards, keys["core"]: WHOLE_CARD_PERCENT}, WHOLE)
        else:
            draft.share(portion)
    if any(granted.memory_mib is not None for _, granted in draft.granted):
        unit = draft.dialect.memory_unit_mib
        text = f"the device plugin's --gpu-memory-factor is taken to be {unit}: set dialects.volcano_vgpu.memory_unit_mib where it is not"
        draft.remark("assumed", text)


DIALECT = Dialect(
    id="volcano_vgpu",
    title="Volcano vGPU",
    page=__doc__,
    resources={
        "cards": "volcano.sh/vgpu-number",
        "memory": "volcano.sh/vgpu-memory",
        "memory_percent": "volcano.sh/vgpu-memory-percentage",
        "core": "volcano.sh/vgpu-cores",
    },
    amounts_per_card=True,
    families=("volcano.sh/vgpu-",),
    further_keys=dict.fromkeys(
        ("volcano.sh/vgpu-mode", "volcano.sh/vgpu-use-gpuuuid", "volcano.sh/vgpu-nouse-gpuuuid", "volcano.sh/vgpu-podgroup-policy"),
        "annotations",
    ),
    reserved_keys=(
        "volcano.sh/vgpu-ids-new",
        "volcano.sh/devices-to-allocate",
        "volcano.sh/vgpu-node",
        "volcano.sh/vgpu-time",
        "volcano.sh/bind-*",
    ),
    isolation_env=("CUDA_DEVICE_MEMORY_LIMIT*", "CUDA_DEVICE_SM_LIMIT", "GPU_CORE_UTILIZATION_POLICY", "CUDA_OVERSUBSCRIBE", "LD_PRELOAD"),
    isolation_flags=("CUDA_OVERSUBSCRIBE",),
    resource_sets=tuple(
        frozenset((*size, *core))
        for size in (("cards",), ("memory",), ("memory_percent",), ("cards", "memory"), ("cards", "memory_percent"))
        for core in ((), ("core",))
    ),
    full_compute_is_whole_card=False,
    memory_units_mib=(),
    isolation={
        "memory": "isolated by HAMi-core inside the container",
        "compute": "isolated by HAMi-core inside the container",
    },
    read=read_counted_shares,
    write=_write,
    enabled=False,
    scheduler_name="volcano",
)
