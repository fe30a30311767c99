"""Whole cards must leave memory out where the dialect gives all of it."""

from collections.abc import Iterator

from webhook.core.arithmetic import cards_text
from webhook.core.finding import FORBIDDEN, Complaint, quoted
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.share import GpuPod


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    if not gpu.dialect.whole_cards_leave_memory_out:
        return
    for share in gpu.shares:
        if share.whole and share.memory is not None:
            taken = f"{share.core_percent} % of compute, which takes {cards_text(share.cards or 1)} whole"
            message = f"{quoted(share.memory.written)} beside {taken}; whole cards must leave memory out"
            hint = f"leave {gpu.dialect.resources['memory']} out, or ask for less than 100 % on each card"
            yield Complaint(share.memory.where, share.memory.written, message, hint, FORBIDDEN, share.name, figures=share.figures)


CHECK = Check(id="whole-card-memory", page=__doc__, run=_run, needs=Need.UNFIT)
