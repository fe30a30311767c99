"""Compute per card must not exceed 100 %."""

from collections.abc import Iterator
from itertools import accumulate

from webhook.core.arithmetic import WHOLE_CARD_PERCENT, core_hint, is_wrong_unit, split_text
from webhook.core.finding import Complaint, quoted
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.share import GpuPod


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    found = False
    for share in gpu.shares:
        core, total, cards = share.core, share.core_percent, share.cards
        if core is None or total is None or not cards or total <= cards * WHOLE_CARD_PERCENT:
            continue
        found = True
        if not is_wrong_unit(gpu, share, "core"):
            message = f"{quoted(core.written)} is {split_text(total, '%', cards)}; must be at most 100 % on each card"
            yield Complaint(
                core.where, core.written, message, core_hint(gpu, share, total, cards), container=share.name, figures=share.figures
            )
    if not found and gpu.dialect.containers_share_cards and len(gpu.shares) > 1:
        yield from _sum_over_containers(gpu)


def _sum_over_containers(gpu: GpuPod) -> Iterator[Complaint]:
    """All containers of the pod sit on the same card: complain of the one that takes the sum over 100 %."""
    totals = accumulate(share.core_percent or 0 for share in gpu.shares)
    for share, total in zip(gpu.shares, totals, strict=True):
        if share.core is not None and share.cards and total > share.cards * WHOLE_CARD_PERCENT:
            asked = f"with this container the pod asks for {split_text(total, '%', share.cards)}"
            message = f"{asked}; must be at most 100 % on each card, as all its containers sit on the same cards"
            hint = _hint(gpu, share.cards, share.cards * WHOLE_CARD_PERCENT - (total - (share.core_percent or 0)))
            yield Complaint(share.core.where, share.core.written, message, hint, container=share.name, figures=gpu.figures)
            return


def _hint(gpu: GpuPod, cards: int, left_percent: int) -> str:
    """Return what the containers before this one leave to it, where that is anything."""
    valid = left_percent // (cards * gpu.dialect.core_step_percent) * cards * gpu.dialect.core_step_percent
    return f'write "{valid}" or less here' if valid else "ask for less in the containers before it"


CHECK = Check(id="core-range", page=__doc__, run=_run, needs=Need.UNFIT)
