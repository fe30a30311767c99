"""Compute must not be shared over several cards where the dialect cannot do it."""

from collections.abc import Iterator

from webhook.core.arithmetic import cards_text
from webhook.core.finding import FORBIDDEN, Complaint, quoted
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.share import GpuPod


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    if gpu.dialect.compute_over_several_cards:
        return
    for share in gpu.shares:
        cards = share.cards or 0
        for amount in (share.amounts.get("core"), share.amounts.get("tflops")):
            if cards > 1 and amount is not None:
                asked = f"{quoted(amount.written)} asks for compute on {cards_text(cards)}"
                message = f"{asked}; several cards share memory only, compute must be left out"
                hint = f"leave {amount.where[-1]} out, or ask for one card: drop the pod label {gpu.dialect.count_key}"
                yield Complaint(amount.where, amount.written, message, hint, FORBIDDEN, share.name, figures=share.figures)


CHECK = Check(id="compute-unsupported", page=__doc__, run=_run, needs=Need.UNFIT)
