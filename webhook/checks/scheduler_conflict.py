"""The scheduler name must be absent, the default, or one that knows the dialect's keys."""

from collections.abc import Iterator

from webhook.core.arithmetic import either
from webhook.core.finding import ABSENT, Complaint, quoted
from webhook.core.patch import UNSET_SCHEDULERS
from webhook.core.plugin import Check
from webhook.core.share import GpuPod, Stage


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    name = gpu.pod.spec.get("schedulerName")
    known = (gpu.dialect.scheduler_name, *gpu.dialect.accepted_schedulers)
    if name in known or (name in UNSET_SCHEDULERS and "default-scheduler" in known):
        return
    if name in UNSET_SCHEDULERS or gpu.rules.foreign_scheduler == "override":
        if gpu.shares and gpu.sound and gpu.stage is Stage.VALIDATE and not gpu.pod.is_template:
            yield _not_mutated(gpu, name)
    else:
        message = (
            f"{quoted(name)} does not know the keys of {gpu.dialect.title}; schedulerName must be {either(map(quoted, known))} or absent"
        )
        complaint = _complaint(gpu, name, message, f"write {quoted(known[0])}, or leave schedulerName out")
        complaint.severity = "warning" if gpu.rules.foreign_scheduler == "warn" else None
        yield complaint


def _not_mutated(gpu: GpuPod, name: object) -> Complaint:
    """Refuse what another scheduler would take: it ignores the card count."""
    wanted = gpu.dialect.scheduler_name
    present = quoted(name or UNSET_SCHEDULERS[-1])
    message = (
        f"percard's mutating webhook did not run for this pod, so that the scheduler {present} would ignore its {gpu.dialect.count_key};"
        f" schedulerName must be {quoted(wanted)}"
    )
    return _complaint(gpu, name, message, f"create the pod again once the webhook is back, or write schedulerName: {wanted}")


def _complaint(gpu: GpuPod, name: object, message: str, hint: str) -> Complaint:
    return Complaint((*gpu.pod.spec_at, "schedulerName"), ABSENT if name is None else name, message, hint)


CHECK = Check(id="scheduler-conflict", page=__doc__, run=_run, last=True)
