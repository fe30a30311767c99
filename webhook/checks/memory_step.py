"""Memory per card must be a multiple of the dialect's step."""

from collections.abc import Iterator

from webhook.core.arithmetic import is_wrong_unit, memory_hint, split_text, step_text
from webhook.core.finding import Complaint, quoted
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.share import GpuPod


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    step = gpu.dialect.memory_step_mib
    for share in gpu.shares:
        memory, total, cards = share.memory, share.memory_mib, share.cards
        if memory is None or memory.value is None or total is None or not cards or total % (cards * step) == 0:
            continue
        if is_wrong_unit(gpu, share, "memory") or (share.whole and gpu.dialect.whole_cards_leave_memory_out):
            continue
        message = f"{quoted(memory.written)} is {split_text(total, 'MiB', cards)}; must be {step_text(step, 'MiB')} on each card"
        yield Complaint(
            memory.where, memory.written, message, memory_hint(gpu, share, memory.value, cards), container=share.name, figures=share.figures
        )


CHECK = Check(id="memory-step", page=__doc__, run=_run, needs=Need.UNFIT)
