"""A pod that shares must not name its node: no scheduler would give it cards."""

from collections.abc import Iterator

from webhook.core.finding import FORBIDDEN, Complaint, quoted
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.share import GpuPod


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    node = gpu.pod.spec.get("nodeName")
    if gpu.creating and node not in (None, "") and gpu.marked:
        message = f"nodeName {quoted(node)} binds the pod past every scheduler, so that none allocates its cards; nodeName must not be set"
        hint = "choose the node with nodeSelector, such as kubernetes.io/hostname"
        yield Complaint((*gpu.pod.spec_at, "nodeName"), node, message, hint, FORBIDDEN)


CHECK = Check(id="scheduler-bypass", page=__doc__, run=_run, needs=Need.CREATING)
