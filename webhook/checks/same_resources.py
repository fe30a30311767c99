"""All containers that ask must ask for the same keys, at most two, with a legal placement, where they share cards."""

from collections.abc import Iterator

from webhook.core.arithmetic import either
from webhook.core.finding import NOT_SUPPORTED, Complaint, quoted
from webhook.core.plugin import Check
from webhook.core.share import GpuPod, GpuShare

_MOST_KEYS = 2


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    if not gpu.dialect.containers_share_cards or not gpu.shares:
        return
    first = gpu.shares[0]
    for share in gpu.shares:
        if len(share.amounts) > _MOST_KEYS:
            yield _too_many(gpu, share)
        if share.amounts.keys() != first.amounts.keys():
            yield _different(gpu, share, first)
    yield from _placement(gpu)


def _too_many(gpu: GpuPod, share: GpuShare) -> Complaint:
    *_, last = share.amounts.values()
    message = f"asks for {_keys(gpu, share)}; must ask for at most two of them"
    return Complaint(last.where, last.written, message, f"leave {last.where[-1]} out", container=share.name, figures=tuple(share.amounts))


def _different(gpu: GpuPod, share: GpuShare, first: GpuShare) -> Complaint:
    amount = next((share.amounts[role] for role in share.amounts if role not in first.amounts), next(iter(share.amounts.values())))
    others = f"container {quoted(first.name)} asks for {_keys(gpu, first)}"
    message = f"asks for {_keys(gpu, share)}, but {others}; all containers that ask must ask for the same keys"
    figures = (*share.amounts, "/", *first.amounts)
    return Complaint(amount.where, amount.written, message, "ask for the same keys in both", container=share.name, figures=figures)


def _keys(gpu: GpuPod, share: GpuShare) -> str:
    return " and ".join(gpu.dialect.resources[role] for role in share.amounts)


def _placement(gpu: GpuPod) -> Iterator[Complaint]:
    key = gpu.dialect.placement_key
    if key is not None and key in gpu.pod.labels and gpu.pod.labels[key] not in gpu.dialect.placement_values:
        written = gpu.pod.labels[key]
        allowed = either(f'"{value}"' for value in gpu.dialect.placement_values)
        message = f"{quoted(written)} is no possible placement; the label {key} must be {allowed}"
        yield Complaint(("metadata", "labels", key), written, message, f"write {allowed}, or leave the label out", NOT_SUPPORTED)


CHECK = Check(id="same-resources", page=__doc__, run=_run)
