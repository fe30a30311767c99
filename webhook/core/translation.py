"""Translation: a pod of one dialect as a draft in another."""

from collections.abc import Iterator
from fractions import Fraction

from webhook.core.plugin import Dialect
from webhook.core.pod import text_of
from webhook.core.portions import WHOLE_CARD_PERCENT, Portion, Remark, decimal
from webhook.core.share import GpuPod, GpuShare
from webhook.core.writing import Draft


def drafted(gpu: GpuPod, target: Dialect) -> Draft:
    """Return the pod as the target would write it, with everything that changes on the way.

    Where something makes it impossible, the draft says so and must not be used.
    """
    draft = Draft(target, tuple([_portion(gpu, share) for share in gpu.shares]), gpu.pod.containers)
    if target.write is None:
        draft.remark("impossible", f"{target.title} is read only")
        return draft
    draft.remarks = _of_source(gpu, target)
    for portion in draft.portions:
        if portion.cards > target.max_cards:
            draft.remark("impossible", f"{portion.cards} cards; {target.title} gives at most {target.max_cards}", portion)
    if not draft.remarks or draft.is_possible:
        target.write(draft)
    return draft


def _portion(gpu: GpuPod, share: GpuShare) -> Portion:
    ask, cards, core, memory = share.ask, share.cards or 1, share.core_percent, share.memory_mib
    if share.whole:
        return Portion(ask.where, ask.name, cards, core_percent=WHOLE_CARD_PERCENT, whole=True)
    each = None if core is None else core // cards
    if memory is not None:
        return Portion(ask.where, ask.name, cards, memory // cards, None, each, at_least=gpu.dialect.memory_is_lower_bound)
    percent = None if share.memory_percent is None else Fraction(share.memory_percent, cards)
    card = gpu.dialect.card_memory_mib
    memory = None if percent is None or card is None else int(card * percent // WHOLE_CARD_PERCENT)
    return Portion(ask.where, ask.name, cards, memory, percent, each)


def _of_source(gpu: GpuPod, target: Dialect) -> list[Remark]:
    """Return what the source says and the target cannot, whatever the figures are."""
    source = gpu.dialect
    found = []
    for ask in gpu.init_asks if gpu.survey.init_asks else ():
        text = f"an init container asks for a share; {target.title} is written for spec.containers only"
        found.append(Remark("impossible", text, ask.name))
    if source.containers_share_cards and len(gpu.shares) > 1 and source.seating != target.seating:
        found.append(Remark("lost", f"the {len(gpu.shares)} containers {source.seating}; in {target.title} they {target.seating}"))
    if source.memory_is_lower_bound or source.card_memory_mib is not None:
        found += _sizes(gpu, target)
    if source.further_keys or source.placement_key is not None or source.compute_policy_key is not None:
        found += _pod_keys(gpu, target)
    return found


def _sizes(gpu: GpuPod, target: Dialect) -> Iterator[Remark]:
    source = gpu.dialect
    for share in gpu.shares:
        if share.memory_mib is not None and source.memory_is_lower_bound and not share.whole:
            yield Remark(
                "assumed", f"{share.memory_mib} MiB are what {source.title} gives at least; a card may have given more", share.name
            )
        elif share.memory_percent is not None and source.card_memory_mib is not None and "memory_percent" not in target.resources:
            percent = decimal(Fraction(share.memory_percent, share.cards or 1))
            yield Remark("assumed", f"{percent} % of a card's memory: a card is taken to have {source.card_memory_mib} MiB", share.name)


def _pod_keys(gpu: GpuPod, target: Dialect) -> Iterator[Remark]:
    """Yield what other keys of the pod say about the placement of its share."""
    source = gpu.dialect
    for key, place in source.further_keys.items():
        if key in gpu.pod.keys_in(place) and key not in target.further_keys:
            yield Remark("lost", f"the pod's {place[:-1]} {key} has no counterpart in {target.title}")
    if source.placement_key is not None and source.placement_key in gpu.pod.labels:
        yield Remark("lost", f"the pod's label {source.placement_key} has no counterpart in {target.title}")
    policy = gpu.pod.annotations.get(source.compute_policy_key or "")
    if policy not in (None, source.multi_card_compute_policy):
        yield Remark(
            "assumed",
            f"the compute policy {text_of(policy)} is not written: how hard the limits are is decided on the nodes of {target.title}",
        )
