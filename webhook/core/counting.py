"""Reading of dialects whose card count stands among the container's resources, and whose memory may be a percentage."""

from fractions import Fraction

from webhook.core.portions import WHOLE_CARD_PERCENT
from webhook.core.reading import read_shares
from webhook.core.share import Ask, GpuPod, GpuShare


def read_counted_shares(gpu: GpuPod) -> None:
    """Fill `gpu.shares`; each container's own key says how many cards it gets, 1 where it has none."""
    add_counts(gpu)
    read_shares(gpu)
    for share in gpu.shares:
        settle_counted(gpu, share, counted(gpu, share))


def add_counts(gpu: GpuPod) -> None:
    """Give every container the count that stands under a key which is no mark; one with nothing else asks for whole cards."""
    key = gpu.dialect.resources.get("cards")
    if key is None or "cards" in gpu.dialect.marks:
        return
    asks = gpu.survey.asks.setdefault(gpu.dialect.id, [])
    containers = dict(gpu.pod.containers)
    known = {ask.where: ask for ask in (*gpu.init_asks, *asks)}
    for found in gpu.survey.whole_cards:
        if found.key == key:
            where, bag = found.where[:-3], found.where[-2]
            if where not in known and where in containers:
                known[where] = Ask(where, found.container, containers[where])
                asks.append(known[where])
            if where in known:
                ask = known[where]
                (ask.limits if bag == "limits" else ask.requests)["cards"] = found.written
    order = {where: index for index, where in enumerate(containers)}
    asks.sort(key=lambda ask: order[ask.where])


def counted(gpu: GpuPod, share: GpuShare, without_count: int = 1) -> int | None:
    """Return the cards that a share's own key names, None where it names none that can be."""
    amount = share.amounts.get("cards")
    if amount is None:
        return without_count
    return amount.value if amount.value is not None and amount.value <= gpu.dialect.max_cards else None


def settle_counted(gpu: GpuPod, share: GpuShare, cards: int | None) -> None:
    """Give a share its cards; figures of each card become totals, memory that is not limited is all of the card's."""
    share.cards = cards
    spread = (cards or 1) if gpu.dialect.amounts_per_card else 1
    share.memory_mib = None if share.memory_mib is None else share.memory_mib * spread
    share.core_percent = None if share.core_percent is None else share.core_percent * spread
    percent = share.amounts.get("memory_percent")
    if percent is not None and percent.value is not None and "memory" not in share.amounts:
        share.memory_percent = Fraction(percent.value * spread)
    if cards is not None:
        settle_whole(share, cards)


def settle_whole(share: GpuShare, cards: int) -> None:
    """See whether a share takes its cards whole: all of their memory, and compute not limited."""
    every = WHOLE_CARD_PERCENT * cards
    if "memory" in share.amounts or (share.amounts.keys() & {"memory_percent"} and share.memory_percent != every):
        return
    if (share.core_percent is None and "core" not in share.amounts) or share.core_percent == every:
        share.whole, share.memory_percent = True, None
    else:
        share.memory_percent = Fraction(every)
