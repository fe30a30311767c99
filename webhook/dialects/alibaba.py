"""Alibaba Cloud ACK, gpushare (cGPU) over several cards.

A pod label says over how many cards the pod is spread; all containers of the pod sit on the same
cards. Memory is the total of the container in GiB.

| what | where | unit |
|---|---|---|
| memory | `aliyun.com/gpu-mem` in limits | GiB, total over the cards |
| compute | `aliyun.com/gpu-core.percentage` in limits | percent of one card, only on one card |
| cards | pod label `aliyun.com/gpu-count` | a whole number as text; without it one card |
| placement | pod label `ack.gpushare.placement` | only `require-whole-device` |

The GiB is a scaled unit: a card of 16160 MiB is offered as 15 units, so one unit gives a little more
than 1024 MiB. The figures that percard writes are therefore lower bounds (`memoryAtLeast`). A cluster
whose device plugin counts MiB sets `memory_unit_mib: 1`.

Stricter than the vendor: the scheduler leaves a count of 0, a percentage that is no multiple of 5 and
more than 100 % on a card to fail later or never; percard refuses them. Compute over several cards is
implemented in the scheduler but excluded by the vendor's page; percard follows the page.

Sources: Alibaba Cloud ACK, "Enable multi-GPU sharing with shared GPU scheduling"; "Enable scheduling"
(191140); developer.aliyun.com article 1685728 (memory and compute).
"""

from webhook.core.plugin import GIB_IN_MIB, Dialect
from webhook.core.reading import read_label_count, read_shares
from webhook.core.share import GpuPod


def _read(gpu: GpuPod) -> None:
    read_shares(gpu)
    read_label_count(gpu)


DIALECT = Dialect(
    id="alibaba",
    title="Alibaba ACK gpushare",
    page=__doc__,
    resources={"memory": "aliyun.com/gpu-mem", "core": "aliyun.com/gpu-core.percentage", "tflops": "aliyun.com/gpu-core.tflops"},
    families=("aliyun.com/gpu",),
    foreign_keys=("aliyun.com/gpu",),
    count_key="aliyun.com/gpu-count",
    count_place="labels",
    placement_key="ack.gpushare.placement",
    placement_values=("require-whole-device",),
    reserved_keys=("scheduler.framework.gpushare.*", "gpushare.alibabacloud.com/*", "ALIYUN_COM_GPU_MEM_*"),
    isolation_env=("CGPU_DISABLE",),
    compute_over_several_cards=False,
    full_compute_is_whole_card=False,
    containers_share_cards=True,
    memory_unit_is_scaled=True,
    read=_read,
    memory_units_mib=(GIB_IN_MIB, 1),
    memory_unit_mib=GIB_IN_MIB,
    memory_step_mib=GIB_IN_MIB,
    memory_min_mib=GIB_IN_MIB,
    core_step_percent=5,
)
