"""Huawei Cloud CCE, xGPU with even distribution over several cards.

A pod label says over how many cards every container of the pod is spread; memory and compute are
totals of the container, memory in blocks of 128 MiB.

| what | where | unit |
|---|---|---|
| memory | `volcano.sh/gpu-mem.128Mi` in limits and requests | blocks of 128 MiB, total over the cards |
| compute | `volcano.sh/gpu-core.percentage` in limits and requests | percent of one card, total over the cards |
| cards | pod label `volcano.sh/gpu-num` | a whole number as text; without it one card |

Memory per card is a multiple of 128 MiB, compute per card a multiple of 5 %. Compute needs memory.
100 % on each card takes the cards whole. Init containers get no virtual GPU.

Stricter than the vendor: CCE documents no message at admission, a wrong split stays Pending. percard
refuses it. `volcano.sh/gpu-memory`, `volcano.sh/gpu-number` and `volcano.sh/vgpu-*` belong to other
stacks that share the prefix and are never read as Huawei's.

Sources: Huawei Cloud CCE user guide, "GPU virtualization: even distribution over several cards"
(cce_10_0965), "Using GPU virtualization" (cce_10_0646), "Compatible with Kubernetes default GPU
scheduling" (cce_10_0742); CCE parameter reference of `volcano.sh/gpu-mem.128Mi`.
"""

from webhook.core.plugin import Dialect
from webhook.core.portions import WHOLE, WHOLE_CARD_PERCENT, Grant, Portion
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
    for portion in draft.portions:
        _write_one(draft, portion)


def _write_one(draft: Draft, portion: Portion) -> None:
    dialect, cards = draft.dialect, portion.cards
    memory_key, core_key = dialect.resources["memory"], dialect.resources["core"]
    core = WHOLE_CARD_PERCENT if portion.whole else draft.core(portion)
    if core == WHOLE_CARD_PERCENT:
        least = dialect.memory_min_mib
        draft.takes_whole_cards(portion)
        draft.remark("assumed", f"{least} MiB per card are written, because compute needs memory; beside 100 % they are no limit", portion)
        draft.give(portion, {memory_key: draft.units(least * cards), core_key: core * cards}, WHOLE)
        return
    memory = draft.memory(portion)
    amounts = {memory_key: draft.units((memory or 0) * cards)} | ({} if core is None else {core_key: core * cards})
    draft.give(portion, amounts, Grant(memory, None, core))


DIALECT = Dialect(
    id="huawei",
    title="Huawei CCE xGPU",
    page=__doc__,
    resources={"memory": "volcano.sh/gpu-mem.128Mi", "core": "volcano.sh/gpu-core.percentage"},
    families=("volcano.sh/gpu-",),
    foreign_keys=("volcano.sh/gpu-memory", "volcano.sh/gpu-number"),
    count_key="volcano.sh/gpu-num",
    count_place="labels",
    # Undocumented for Huawei's fork of Volcano; these are what the open-source one writes.
    reserved_keys=(
        "volcano.sh/gpu-index",
        "volcano.sh/predicate-time",
        "volcano.sh/vgpu-ids-new",
        "volcano.sh/devices-to-allocate",
        "volcano.sh/vgpu-node",
        "volcano.sh/vgpu-time",
        "volcano.sh/bind-*",
    ),
    isolation={
        "memory": "isolated",
        "compute": "isolated, a ceiling; in the cluster's burst mode a floor",
    },
    read=_read,
    write=_write,
    scheduler_name="volcano",
    memory_units_mib=(128,),
    memory_unit_mib=128,
    memory_step_mib=128,
    memory_min_mib=128,
    core_step_percent=5,
)
