"""Memory and compute must be whole, positive numbers in the vendor's unit."""

from collections.abc import Iterator

from webhook.core.arithmetic import byte_reading, is_wrong_unit, valid_core, valid_memory
from webhook.core.finding import Complaint, quoted
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.share import GpuPod, GpuShare, Sourced

_PROBLEMS = {
    "unparsable": "is not a Kubernetes quantity",
    "not-whole": "is not whole",
    "not-positive": "is not positive",
}


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    for share in gpu.shares:
        for role, amount in share.amounts.items():
            if amount.problem is not None:
                message = f"{quoted(amount.written)} {_PROBLEMS[amount.problem]}; must be a whole number of {_unit(gpu, role)}, 1 or more"
                yield _complaint(share, amount, message, _hint(gpu, share, role))
            elif is_wrong_unit(gpu, share, role):
                unit = _unit(gpu, role)
                message = f"{quoted(amount.written)} is {amount.value} {unit}, out of range: the key counts {unit}, not bytes"
                yield _complaint(share, amount, message, _unit_hint(gpu, share, role, amount))


def _unit(gpu: GpuPod, role: str) -> str:
    return {"memory": gpu.dialect.unit_name, "core": "percent"}.get(role, "TFLOPS")


def _hint(gpu: GpuPod, share: GpuShare, role: str) -> str:
    cards = share.cards or 1
    smallest = {"memory": valid_memory, "core": valid_core}[role](gpu, 0, cards) if role != "tflops" else [1]
    least = f'write "{smallest[0]}" or more' if smallest else f"write a plain number of {_unit(gpu, role)}"
    return f"{least}, or leave the key out"


def _unit_hint(gpu: GpuPod, share: GpuShare, role: str, amount: Sourced) -> str:
    if role == "memory":
        units = byte_reading(gpu, amount.written, share.cards or 1)
        if units is not None:
            return f'write "{units}"'
    return f"write a plain number of {_unit(gpu, role)}"


def _complaint(share: GpuShare, amount: Sourced, message: str, hint: str) -> Complaint:
    return Complaint(amount.where, amount.written, message, hint, container=share.name)


CHECK = Check(id="quantity", page=__doc__, run=_run, needs=Need.UNFIT)
