"""KAI Scheduler: a part of one or more cards' memory, for one container of the pod.

What is asked for stands in annotations of the pod, and is what one card gives. Compute is never limited, and nothing
enforces the memory on the node.

| what | where | unit |
|---|---|---|
| memory | pod annotation `gpu-memory` | MiB on each card |
| memory | pod annotation `gpu-fraction` | a part of each card's memory, above 0 and below 1 |
| cards | pod annotation `gpu-fraction-num-devices` | a whole number as text; without it one card |
| container | pod annotation `gpu-fraction-container-name` | a name; without it the first container |

Memory or fraction, not both, and no whole cards beside them. A pod belongs to a queue: label `kai.scheduler/queue`.

Stricter than KAI: `NaN`, `0x1p-1` and numbers beyond 64 bits are admitted there and ask for something else or nothing.
percard wants plain decimal digits.

Read by `percard convert`, and elsewhere where `enabled` is true or KAI is the `target`.

Sources: NVIDIA/KAI-Scheduler, `docs/gpu-sharing`, `pkg/admission/webhook/v1alpha2/gpusharing`.
"""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from webhook.core.finding import ABSENT
from webhook.core.plugin import Dialect
from webhook.core.pod import Where
from webhook.core.portions import WHOLE_CARD_PERCENT, Grant, Portion, decimal
from webhook.core.quantity import parse_quantity, whole_number
from webhook.core.reading import card_count
from webhook.core.share import Ask, GpuPod, GpuShare, Problem, Sourced
from webhook.core.writing import Draft

_CONTAINER = "gpu-fraction-container-name"
_QUEUE = "kai.scheduler/queue"
# A fraction is kept in millionths.
_FRACTION = re.compile(r"0?\.[0-9]{1,6}", re.ASCII)
_MILLION = 10**6


def _read(gpu: GpuPod) -> None:
    holder = _holder(gpu)
    if holder is None:
        return
    where, container = holder
    name = container.get("name")
    share = GpuShare(Ask(where, name if isinstance(name, str) else None, container), _amounts(gpu))
    gpu.shares.append(share)
    share.cards = _cards(gpu)
    memory, fraction = share.memory, share.amounts.get("memory_percent")
    if memory is not None and memory.value is not None and share.cards:
        share.memory_mib = memory.value * gpu.dialect.memory_unit_mib * share.cards
    elif fraction is not None and fraction.value is not None and share.cards:
        share.memory_percent = Fraction(fraction.value * WHOLE_CARD_PERCENT * share.cards, _MILLION)


def _holder(gpu: GpuPod) -> tuple[Where, Mapping[str, Any]] | None:
    """Return the container that gets the cards: the named one, else the first."""
    wanted = gpu.pod.annotations.get(_CONTAINER, ABSENT)
    containers = gpu.pod.containers
    named = next((found for found in containers if found[1].get("name") == wanted), None)
    return named or next(iter(containers), None)


def _amounts(gpu: GpuPod) -> dict[str, Sourced]:
    amounts = {}
    for role, key in gpu.dialect.resources.items():
        written = gpu.pod.annotations.get(key, ABSENT)
        if written is not ABSENT:
            where = ("metadata", "annotations", key)
            amounts[role] = _memory(where, written, gpu.dialect.memory_max_mib) if role == "memory" else _fraction(where, written)
    return amounts


def _memory(where: Where, written: Any, most: int) -> Sourced:
    value = whole_number(written, most) if isinstance(written, str) else None
    problem: Problem | None = None if value is not None else "unparsable"
    return Sourced(value, where, written, problem)


def _fraction(where: Where, written: Any) -> Sourced:
    spelt = isinstance(written, str) and _FRACTION.fullmatch(written) is not None
    return Sourced(int(parse_quantity(written) * _MILLION) or None if spelt else None, where, written)


def _cards(gpu: GpuPod) -> int | None:
    written = gpu.pod.annotations.get(gpu.dialect.count_key, ABSENT)
    if written is ABSENT:
        return 1
    cards = card_count(written, gpu.dialect.max_cards)
    gpu.count = Sourced(cards, ("metadata", "annotations", gpu.dialect.count_key), written)
    return cards


def _write(draft: Draft) -> None:
    if len(draft.portions) > 1:
        draft.remark("impossible", f"{len(draft.portions)} containers ask for GPUs; KAI gives them to one container of a pod")
        return
    (portion,) = draft.portions
    amount = _amount(draft, portion)
    if amount is None:
        return
    draft.annotations.update(amount)
    if portion.cards > 1:
        draft.annotations[draft.dialect.count_key] = str(portion.cards)
    if draft.containers and portion.where != draft.containers[0][0]:
        draft.annotations[_CONTAINER] = portion.name or ""
    if portion.core_percent is not None:
        draft.remark("lost", f"{portion.core_percent} % of compute on each card; KAI shares memory only", portion)
    draft.remark("assumed", f"KAI places pods of a queue: the pod needs the label {_QUEUE}")


def _amount(draft: Draft, portion: Portion) -> dict[str, str] | None:
    """Return the annotation that names the memory, and note what it gives."""
    keys = draft.dialect.resources
    if portion.whole or portion.memory_percent == WHOLE_CARD_PERCENT:
        draft.remark(
            "impossible", "whole cards; KAI shares less than a card, and gives whole ones to pods that ask for nvidia.com/gpu", portion
        )
    elif portion.memory_percent is not None:
        draft.give(portion, {}, Grant(None, portion.memory_percent))
        return {keys["memory_percent"]: decimal(portion.memory_percent / WHOLE_CARD_PERCENT)}
    else:
        each = draft.memory(portion)
        if each is not None:
            draft.give(portion, {}, Grant(each))
            return {keys["memory"]: str(draft.units(each))}
    return None


DIALECT = Dialect(
    id="kai",
    title="KAI Scheduler",
    page=__doc__,
    resources={"memory": "gpu-memory", "memory_percent": "gpu-fraction"},
    amount_place="annotations",
    amounts_per_card=True,
    families=(),
    count_key="gpu-fraction-num-devices",
    count_place="annotations",
    holder_key=_CONTAINER,
    reserved_keys=("runai-gpu-group*", "runai/shared-gpu-configmap", "received-resource-type"),
    resource_sets=(frozenset({"memory"}), frozenset({"memory_percent"})),
    isolation={
        "memory": "scheduled only",
    },
    read=_read,
    write=_write,
    enabled=False,
    scheduler_name="kai-scheduler",
)
