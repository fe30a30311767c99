"""A pod that shares must not ask for whole cards under another key."""

from collections.abc import Iterator

from webhook.core.finding import FORBIDDEN, Complaint, quoted
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.share import GpuPod


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    if not gpu.survey.whole_cards or not gpu.marked:
        return
    reported = set()
    for key, where, written, container in gpu.survey.whole_cards:
        place = (*where[:-2], key)
        if place not in reported:
            reported.add(place)
            message = f"{key} {quoted(written)} asks for whole cards in a pod that shares cards{_sharing(gpu)}; a pod must not ask for both"
            yield Complaint(where, written, message, f"remove {key}, or run it in a pod of its own", FORBIDDEN, container)


def _sharing(gpu: GpuPod) -> str:
    if not gpu.shares:
        return ""
    share = gpu.shares[0]
    return f" ({gpu.dialect.resources[next(iter(share.amounts))]} in container {quoted(share.name)})"


CHECK = Check(id="excluded-resource", page=__doc__, run=_run, needs=Need.WHOLE_CARDS)
