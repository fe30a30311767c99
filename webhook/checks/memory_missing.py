"""A share must ask for memory, unless it takes whole cards where the dialect leaves memory out."""

from collections.abc import Iterator

from webhook.core.arithmetic import valid_memory
from webhook.core.finding import ABSENT, REQUIRED, Complaint
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.share import GpuPod, GpuShare


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    key = gpu.dialect.resources["memory"]
    for share in gpu.shares:
        if share.memory is None and share.amounts and not (share.whole and gpu.dialect.whole_cards_leave_memory_out):
            where = (*share.ask.where, "resources", "limits", key)
            message = f"asks for compute without memory; {key} must be set"
            yield Complaint(where, ABSENT, message, _hint(gpu, share), REQUIRED, share.name, figures=share.figures)


def _hint(gpu: GpuPod, share: GpuShare) -> str:
    least = valid_memory(gpu, 0, share.cards or 1)
    unit = gpu.dialect.unit_name
    smallest = (
        f'add {gpu.dialect.resources["memory"]}: "{least[0]}" or more ({unit}, total over the cards)' if least else f"add it in {unit}"
    )
    return f"{smallest}, or ask for whole cards (100 % each)" if gpu.dialect.whole_cards_leave_memory_out else smallest


CHECK = Check(id="memory-missing", page=__doc__, run=_run, needs=Need.UNFIT)
