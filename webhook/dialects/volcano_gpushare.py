"""Volcano gpushare: the older GPU sharing of open-source Volcano, deprecated there since v1.9; read, never written.

| what | where | unit |
|---|---|---|
| memory | `volcano.sh/gpu-memory` in limits | MiB, on one card; all containers of the pod on the same one |
| cards | `volcano.sh/gpu-number` in limits | whole cards |

One or the other, never both: they are two modes of the scheduler. There is no compute, and nothing enforces the memory.
Of init containers the largest counts. `volcano.sh/gpu-num` and `volcano.sh/gpu-mem.128Mi` are Huawei's, `volcano.sh/vgpu-*`
is Volcano vGPU.

Read by `percard convert`, and elsewhere where `enabled` is true.

Sources: volcano-sh/volcano, `docs/user-guide/how_to_use_gpu_sharing.md`, `pkg/scheduler/api/devices/nvidia/gpushare`.
"""

from webhook.core.counting import read_counted_shares
from webhook.core.plugin import Dialect

DIALECT = Dialect(
    id="volcano_gpushare",
    title="Volcano gpushare",
    page=__doc__,
    resources={"memory": "volcano.sh/gpu-memory", "cards": "volcano.sh/gpu-number"},
    families=("volcano.sh/gpu-memory", "volcano.sh/gpu-number"),
    reserved_keys=("volcano.sh/gpu-index", "volcano.sh/predicate-time"),
    resource_sets=(frozenset({"memory"}), frozenset({"cards"})),
    init_containers_share=True,
    containers_share_cards=True,
    full_compute_is_whole_card=False,
    isolation={
        "memory": "scheduled only",
    },
    read=read_counted_shares,
    enabled=False,
    scheduler_name="volcano",
)
