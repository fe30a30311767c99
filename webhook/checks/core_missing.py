"""A share must ask for compute where the dialect has no shares of memory alone."""

from collections.abc import Iterator

from webhook.core.arithmetic import valid_core
from webhook.core.finding import ABSENT, REQUIRED, Complaint
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.share import GpuPod


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    if not gpu.dialect.compute_required:
        return
    key = gpu.dialect.resources["core"]
    for share in gpu.shares:
        if share.core is None:
            where = (*share.ask.where, "resources", "limits", key)
            message = f"asks for memory without compute; {key} must be set"
            least = valid_core(gpu, 0, share.cards or 1)
            hint = f'add {key}: "{least[0]}" or more (percent, total over the cards)' if least else f"add {key} in percent"
            yield Complaint(where, ABSENT, message, hint, REQUIRED, share.name, figures=share.figures)


CHECK = Check(id="core-missing", page=__doc__, run=_run, needs=Need.UNFIT)
