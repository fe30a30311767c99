"""Init containers and native sidecars must not ask for a share."""

from collections.abc import Iterator

from webhook.core.finding import FORBIDDEN, Complaint
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.share import Ask, GpuPod


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    for ask in gpu.init_asks:
        bag, written = ("limits", ask.limits) if ask.limits else ("requests", ask.requests)
        keys = [gpu.dialect.resources[role] for role in written]
        message = f"is {_kind(ask)}, to which {gpu.dialect.title} allocates no share; {' and '.join(keys)} must not be set"
        value = next(iter(written.values()))
        yield Complaint(
            (*ask.where, "resources", bag, keys[0]), value, message, "ask for the share in spec.containers", FORBIDDEN, ask.name
        )


def _kind(ask: Ask) -> str:
    if ask.container.get("restartPolicy") == "Always":
        return "a native sidecar (an init container with restartPolicy Always)"
    return "an init container"


CHECK = Check(id="init-container", page=__doc__, run=_run, needs=Need.INIT)
