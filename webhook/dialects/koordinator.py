"""Koordinator: shared GPUs, totals over the cards.

Memory and compute are totals over the cards that `koordinator.sh/gpu.shared` names.

| what | where | unit |
|---|---|---|
| cards | `koordinator.sh/gpu.shared` in limits | a number; without it what the percentages say, else one |
| memory | `koordinator.sh/gpu-memory` in limits | bytes (`8Gi`), total over the cards |
| memory | `koordinator.sh/gpu-memory-ratio` in limits | percent of one card's memory, total over the cards |
| compute | `koordinator.sh/gpu-core` in limits | percent of one card, total over the cards |
| both | `koordinator.sh/gpu` in limits | percent of one card's compute and memory; k × 100 takes k cards whole |

Allowed are memory or its ratio, each with or without compute, or `koordinator.sh/gpu` alone. Without a card count more than
100 % must be a multiple of 100. Bytes are split as Koordinator splits them: each card gets the whole MiB of total / N,
rounded down. The scheduler adds up all containers of a pod, and every container sees all of the pod's cards.

Isolation takes the label `koordinator.sh/gpu-isolation-provider: HAMi-core` on pod and node; percard leaves it to the site.

Read by `percard convert`, and elsewhere where `enabled` is true or this is the `target`.

Sources: koordinator-sh/koordinator, `apis/extension/device_share.go`, `pkg/webhook/pod/validating`, `pkg/scheduler/plugins/deviceshare`.
"""

from fractions import Fraction

from webhook.core.counting import counted, settle_whole
from webhook.core.plugin import Dialect
from webhook.core.portions import WHOLE, WHOLE_CARD_PERCENT
from webhook.core.reading import read_shares
from webhook.core.share import GpuPod, GpuShare
from webhook.core.writing import Draft

_BYTES_IN_MIB = 1 << 20


def _read(gpu: GpuPod) -> None:
    read_shares(gpu)
    for share in gpu.shares:
        _settle(gpu, share)


def _settle(gpu: GpuPod, share: GpuShare) -> None:
    both, ratio = share.amounts.get("both"), share.amounts.get("memory_percent")
    if both is not None:
        share.core_percent, share.memory_percent = both.value, _fraction(both.value)
    elif ratio is not None:
        share.memory_percent = _fraction(ratio.value)
    share.cards = counted(gpu, share, _cards_without_count(share, gpu.dialect.max_cards))
    if share.cards is None:
        return
    if share.memory is not None and share.memory.value is not None:
        # What read_shares takes for MiB are bytes.
        share.memory.value //= _BYTES_IN_MIB
        share.memory_mib = share.memory.value // share.cards * share.cards
    if both is None:
        settle_whole(share, share.cards)
    elif both.value == WHOLE_CARD_PERCENT * share.cards:
        share.whole, share.memory_percent = True, None


def _fraction(value: int | None) -> Fraction | None:
    return None if value is None else Fraction(value)


def _cards_without_count(share: GpuShare, most: int) -> int:
    """Return the cards that k × 100 % of memory, else of compute, come to, `most` at the most, else 1."""
    for percent in (share.memory_percent, share.core_percent):
        if percent is not None and percent % WHOLE_CARD_PERCENT == 0:
            return max(1, min(int(percent) // WHOLE_CARD_PERCENT, most))
    return 1


def _write(draft: Draft) -> None:
    portions, keys = draft.portions, draft.dialect.resources
    if len({(portion.cards, portion.memory_mib, portion.memory_percent, portion.core_percent) for portion in portions}) > 1:
        draft.remark(
            "impossible", "containers ask for different shares; Koordinator adds up all containers of a pod and splits the sum evenly"
        )
        return
    if len(portions) > 1:
        draft.remark("assumed", f"Koordinator adds up the {len(portions)} containers, and each of them sees all cards of the pod")
    for portion in portions:
        if portion.whole:
            percent = WHOLE_CARD_PERCENT * portion.cards
            draft.give(portion, {keys["cards"]: portion.cards, keys["core"]: percent, keys["memory_percent"]: percent}, WHOLE)
        else:
            draft.share(portion)


DIALECT = Dialect(
    id="koordinator",
    title="Koordinator",
    page=__doc__,
    resources={
        "cards": "koordinator.sh/gpu.shared",
        "memory": "koordinator.sh/gpu-memory",
        "memory_percent": "koordinator.sh/gpu-memory-ratio",
        "core": "koordinator.sh/gpu-core",
        "both": "koordinator.sh/gpu",
    },
    families=("koordinator.sh/gpu",),
    further_keys={
        "koordinator.sh/gpu-isolation-provider": "labels",
        "scheduling.koordinator.sh/device-allocate-hint": "annotations",
        "scheduling.koordinator.sh/device-joint-allocate": "annotations",
        "scheduling.koordinator.sh/gpu-partition-spec": "annotations",
    },
    reserved_keys=("scheduling.koordinator.sh/device-allocated",),
    resource_sets=(
        frozenset({"both"}),
        frozenset({"both", "cards"}),
        *(
            frozenset((*count, memory, *core))
            for count in ((), ("cards",))
            for memory in ("memory", "memory_percent")
            for core in ((), ("core",))
        ),
    ),
    containers_share_cards=True,
    containers_pool_cards=True,
    full_compute_is_whole_card=False,
    memory_suffix="Mi",
    isolation={
        "memory": "isolated where pod and node carry koordinator.sh/gpu-isolation-provider: HAMi-core, else scheduled only",
        "compute": "isolated where pod and node carry koordinator.sh/gpu-isolation-provider: HAMi-core, else scheduled only",
    },
    read=_read,
    write=_write,
    enabled=False,
    scheduler_name="koord-scheduler",
)
