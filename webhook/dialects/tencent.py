"""Tencent TKE, qGPU: totals, with the number of cards in the compute figure.

| what | where | unit |
|---|---|---|
| memory | `tke.cloud.tencent.com/qgpu-memory` in limits and requests | GiB, total over the cards |
| compute | `tke.cloud.tencent.com/qgpu-core` in limits and requests | percent of one card, total over the cards |

There is no card count: up to 100 % of compute is one card, k × 100 % takes k cards whole and leaves memory out, and 160 %
with 60 GiB is two cards of 80 % and 30 GiB each; what does not divide is rounded down. Nothing is public about more than
two shared cards. Compute on a card is a multiple of 5 %. Compute above 100 % without a multiple of 100 needs memory.

How hard the limits are is a label of the node pool, `tke.cloud.tencent.com/qgpu-schedule-policy`. Pods are placed by the
default scheduler and its extender.

Read by `percard convert`, and elsewhere where `enabled` is true or this is the `target`.

Sources: Tencent Cloud TKE, "Using qGPU" (457/65734, 457/59103) and "Sharing over several cards" (457/127667).
"""

from webhook.core.plugin import Dialect
from webhook.core.portions import GIB_IN_MIB, WHOLE, WHOLE_CARD_PERCENT, Amount, Grant, Portion
from webhook.core.reading import read_shares, settle_share
from webhook.core.share import GpuPod, GpuShare
from webhook.core.writing import Draft

_MOST_SHARED = 2


def _read(gpu: GpuPod) -> None:
    read_shares(gpu)
    for share in gpu.shares:
        cards = _cards(share, gpu.dialect.max_cards)
        if share.core_percent is not None and share.core_percent % WHOLE_CARD_PERCENT:
            share.core_percent = share.core_percent // cards * cards
            unit = gpu.dialect.memory_unit_mib * cards
            share.memory_mib = None if share.memory_mib is None else share.memory_mib // unit * unit
        settle_share(gpu, share, cards)


def _cards(share: GpuShare, most: int) -> int:
    """Return how many cards the compute takes, `most` at the most."""
    return max(1, min(-(-(share.core_percent or 0) // WHOLE_CARD_PERCENT), most))


def _write(draft: Draft) -> None:
    for portion in draft.portions:
        _write_one(draft, portion)


def _write_one(draft: Draft, portion: Portion) -> None:
    memory_key, core_key = draft.dialect.resources["memory"], draft.dialect.resources["core"]
    core = WHOLE_CARD_PERCENT if portion.whole else draft.core(portion)
    if core == WHOLE_CARD_PERCENT:
        draft.takes_whole_cards(portion)
        draft.give(portion, {core_key: core * portion.cards}, WHOLE)
        return
    problem = _problem(portion, core)
    if problem:
        draft.remark("impossible", problem, portion)
        return
    memory = draft.memory(portion)
    amounts: dict[str, Amount] = {memory_key: draft.units((memory or 0) * portion.cards)}
    if core is not None:
        amounts[core_key] = core * portion.cards
    draft.give(portion, amounts, Grant(memory, None, core))


def _problem(portion: Portion, core: int | None) -> str:
    """Return why qGPU cannot tell the number of cards, empty where it can."""
    cards = portion.cards
    if cards == 1:
        return ""
    if core is None:
        return f"memory without compute on {cards} cards; qGPU tells the cards from the compute"
    if cards > _MOST_SHARED:
        return f"a part of {cards} cards; qGPU shares at most {_MOST_SHARED}"
    total = core * cards
    if total <= WHOLE_CARD_PERCENT * (cards - 1):
        return f"{core} % on each of {cards} cards is {total} % in all, which qGPU takes from {-(-total // WHOLE_CARD_PERCENT)}"
    return ""


DIALECT = Dialect(
    id="tencent",
    title="Tencent TKE qGPU",
    page=__doc__,
    resources={"memory": "tke.cloud.tencent.com/qgpu-memory", "core": "tke.cloud.tencent.com/qgpu-core"},
    families=("tke.cloud.tencent.com/qgpu-",),
    foreign_keys=("tke.cloud.tencent.com/qgpu-core-greedy",),
    further_keys={"tke.cloud.tencent.com/app-class": "annotations"},
    whole_cards_leave_memory_out=True,
    isolation={
        "memory": "isolated",
        "compute": "isolated on nodes of qgpu-schedule-policy fixed-share, a floor on burst-share, scheduled only on best-effort",
    },
    read=_read,
    write=_write,
    enabled=False,
    memory_units_mib=(GIB_IN_MIB,),
    memory_unit_mib=GIB_IN_MIB,
    memory_step_mib=GIB_IN_MIB,
    memory_min_mib=GIB_IN_MIB,
    core_step_percent=5,
)
