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

from webhook.core.plugin import Dialect
from webhook.core.portions import GIB_IN_MIB, WHOLE_CARD_PERCENT, Grant, Portion
from webhook.core.reading import read_label_count, read_shares
from webhook.core.share import GpuPod
from webhook.core.writing import Draft


def _read(gpu: GpuPod) -> None:
    read_shares(gpu)
    read_label_count(gpu)


def _write(draft: Draft) -> None:
    cards = draft.one_count()
    if cards is None:
        return
    if cards > 1:
        draft.labels[draft.dialect.count_key] = str(cards)
    alike = len({portion.core_percent is None for portion in draft.portions}) == 1
    for portion in draft.portions:
        _write_one(draft, portion, with_core=_keeps_compute(draft, portion, alike=alike))
    if len(draft.portions) > 1:
        _on_the_same_cards(draft)


def _keeps_compute(draft: Draft, portion: Portion, *, alike: bool) -> bool:
    """Say whether a container's compute can be written, and remark where it cannot."""
    if portion.core_percent is None or portion.whole:
        return False
    asked = f"{portion.core_percent} % of compute on each card"
    if portion.cards > 1:
        draft.remark("lost", f"{asked}; on several cards gpushare shares memory only", portion)
    elif not alike:
        draft.remark("lost", f"{asked}; another container asks for memory alone, and all must ask for the same keys", portion)
    return portion.cards == 1 and alike


def _write_one(draft: Draft, portion: Portion, *, with_core: bool) -> None:
    dialect = draft.dialect
    if portion.whole:
        draft.remark(
            "impossible", "whole cards; gpushare gives parts of a card, whole ones go to pods that ask for aliyun.com/gpu", portion
        )
        return
    memory, core = draft.memory(portion), draft.core(portion) if with_core else None
    amounts = {dialect.resources["memory"]: draft.units((memory or 0) * portion.cards)}
    if core is not None:
        amounts[dialect.resources["core"]] = core
    if dialect.memory_is_lower_bound:
        draft.remark("assumed", f"{memory} MiB on each card is the least: gpushare's GiB is a scaled unit, a card may give more", portion)
    draft.give(portion, amounts, Grant(memory, None, core, at_least=dialect.memory_is_lower_bound))


def _on_the_same_cards(draft: Draft) -> None:
    """Refuse containers that fit on cards of their own, but not all on the same."""
    draft.remark("assumed", f"the {len(draft.portions)} containers of the pod sit on the same cards")
    memory = sum(granted.memory_mib or 0 for _, granted in draft.granted)
    core = sum(granted.core_percent or 0 for _, granted in draft.granted)
    if core > WHOLE_CARD_PERCENT:
        draft.remark("impossible", f"the containers ask for {core} % in all; gpushare puts them on the same card")
    if memory > draft.dialect.memory_max_mib:
        draft.remark("impossible", f"the containers ask for {memory} MiB on each card in all; gpushare puts them on the same cards")


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
    isolation_flags=("CGPU_DISABLE",),
    compute_over_several_cards=False,
    full_compute_is_whole_card=False,
    containers_share_cards=True,
    memory_unit_is_scaled=True,
    isolation={
        "memory": "isolated on nodes of the kind cgpu, mps or core_mem (label ack.node.gpu.schedule), scheduled only on share",
        "compute": "isolated on nodes of the kind core_mem",
    },
    read=_read,
    write=_write,
    memory_units_mib=(GIB_IN_MIB, 1),
    memory_unit_mib=GIB_IN_MIB,
    memory_step_mib=GIB_IN_MIB,
    memory_min_mib=GIB_IN_MIB,
    core_step_percent=5,
)
