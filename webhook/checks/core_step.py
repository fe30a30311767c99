"""Compute per card must be a multiple of the dialect's step."""

from collections.abc import Iterator

from webhook.core.arithmetic import core_hint, is_wrong_unit, split_text, step_text
from webhook.core.finding import Complaint, quoted
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.share import GpuPod


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    step = gpu.dialect.core_step_percent
    for share in gpu.shares:
        core, total, cards = share.core, share.core_percent, share.cards
        if core is None or total is None or not cards or total % (cards * step) == 0:
            continue
        if is_wrong_unit(gpu, share, "core") or (cards > 1 and not gpu.dialect.compute_over_several_cards):
            continue
        message = f"{quoted(core.written)} is {split_text(total, '%', cards)}; must be {step_text(step, '%')} on each card"
        yield Complaint(core.where, core.written, message, core_hint(gpu, share, total, cards), container=share.name, figures=share.figures)


CHECK = Check(id="core-step", page=__doc__, run=_run, needs=Need.UNFIT)
