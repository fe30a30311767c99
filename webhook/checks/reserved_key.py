"""Keys that only schedulers and device plugins write must not come with a new pod."""

from collections.abc import Iterator, Mapping
from typing import Any

from webhook.core.finding import FORBIDDEN, Complaint
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.pod import Where, sequence
from webhook.core.share import GpuPod


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    for place, keys in (("annotations", gpu.pod.annotations), ("labels", gpu.pod.labels)):
        for key in gpu.reserved.among(keys):
            yield _complaint(("metadata", place, key), key)
    for share in gpu.shares:
        if share.ask.container.get("env"):
            yield from _in_environment(gpu, (*share.ask.where, "env"), share.ask.container, share.name)


def _in_environment(gpu: GpuPod, where: Where, container: Mapping[str, Any], name: str | None) -> Iterator[Complaint]:
    for index, entry in enumerate(sequence(container.get("env"))):
        variable = entry.get("name") if isinstance(entry, dict) else None
        if isinstance(variable, str) and variable in gpu.reserved:
            complaint = _complaint((*where, index, "name"), variable)
            complaint.container = name
            yield complaint


def _complaint(where: Where, key: str) -> Complaint:
    """The value of the key is not echoed: it may hold anything."""
    message = f"{key} is written by the scheduler when it allocates cards; a new pod must not bring it along"
    return Complaint(where, key, message, "remove it (a copied pod keeps such keys of the original)", FORBIDDEN)


CHECK = Check(id="reserved-key", page=__doc__, run=_run, needs=Need.CREATING)
