"""What every container of a pod gets on each of its cards, as JSON values: the same through every door."""

from fractions import Fraction
from typing import Any, Literal

from webhook.core.patch import DEFAULT_SCHEDULER, wanted_scheduler
from webhook.core.pod import text_of
from webhook.core.share import GpuPod, GpuShare

_OWN = "the cards are the container's own"
_UNKNOWN = "not documented by the vendor"
_UNASKED = "not asked for, containers on a card compete at run time"


def explained(gpu: GpuPod) -> dict[str, Any]:
    """Return what a pod or template asks for, and what of that each card gives and the nodes enforce."""
    return {
        "kind": gpu.pod.kind,
        "namespace": gpu.pod.namespace,
        "name": gpu.pod.name,
        "dialect": gpu.dialect.id,
        "scheduler": wanted_scheduler(gpu) or text_of(gpu.pod.spec.get("schedulerName")) or DEFAULT_SCHEDULER,
        "granted": gpu.sound and not gpu.others,
        "isolation": {"memory": _held(gpu, "memory"), "compute": _held(gpu, "core")},
        "containers": [_container(gpu, share) for share in gpu.shares],
    }


def _held(gpu: GpuPod, role: Literal["memory", "core"]) -> str:
    """Return what the nodes enforce of an amount, and what only counts for placing the pod."""
    if gpu.shares and all(share.whole for share in gpu.shares):
        return _OWN
    if role == "memory":
        return gpu.dialect.isolation.get("memory", _UNKNOWN)
    if not any(share.core_percent for share in gpu.shares):
        return _UNASKED
    policy = text_of(gpu.pod.annotations.get(gpu.dialect.compute_policy_key or ""))
    return gpu.dialect.isolation.get(policy) or gpu.dialect.isolation.get("compute", _UNKNOWN)


def _container(gpu: GpuPod, share: GpuShare) -> dict[str, Any]:
    memory = None if share.whole else share.memory_mib
    each = {"memoryMiB": _figure(share.per_card(memory)), "corePercent": _figure(share.per_card(share.core_percent))}
    if share.memory_percent is not None and share.cards:
        # How many MiB that is depends on the card, which no manifest tells.
        each["memoryPercent"] = _figure(Fraction(share.memory_percent, share.cards))
    return {
        "name": share.name,
        "cards": share.cards,
        "totalMemoryMiB": memory,
        "totalCorePercent": share.core_percent,
        "perCard": each,
        "whole": share.whole,
        "memoryAtLeast": memory is not None and gpu.dialect.memory_is_lower_bound,
    }


def _figure(exact: Fraction | None) -> int | str | None:
    """Return a whole figure as a number, another one as a fraction in text: JSON has no exact ones."""
    if exact is None:
        return None
    return exact.numerator if exact.denominator == 1 else str(exact)
