"""Init containers and native sidecars must not ask for a share."""

from collections.abc import Iterator

from webhook.core.finding import FORBIDDEN, Complaint
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.share import Ask, GpuPod


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    for ask in gpu.init_asks:
        bag, written = ("limits", ask.limits) if ask.limits else ("requests", ask.requests)
        role, value = next(iter(written.items()))
        key = gpu.dialect.resources[role]
        message = f"is {_kind(ask)}, where {gpu.dialect.title} allocates no share; {key} must not be set"
        yield Complaint((*ask.where, "resources", bag, key), value, message, "ask for the share in spec.containers", FORBIDDEN, ask.name)


def _kind(ask: Ask) -> str:
    if ask.container.get("restartPolicy") == "Always":
        return "a native sidecar (an init container with restartPolicy Always)"
    return "an init container"


CHECK = Check(id="init-container", page=__doc__, run=_run, needs=Need.INIT)
