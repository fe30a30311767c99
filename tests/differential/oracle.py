"""The arithmetic of an even split once more, as slowly and plainly as it can be said; it shares no code with percard.

A container's total is cut into as many equal parts as there are cards, as an exact fraction, and each rule looks at one part.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Limits = dict[str, Any]


@dataclass(frozen=True)
class Vendor:
    """What the vendor's pages say; MiB and percent of one card."""

    unit_mib: int
    memory_step_mib: int
    least_mib: int
    least_with_count_mib: int
    compute_step: int
    compute_required: bool
    compute_on_several_cards: bool
    whole_cards_leave_memory_out: bool
    full_compute_is_whole: bool
    memory_is_at_least: bool


MOST_MIB = 1024 * 1024
VOLCENGINE = Vendor(
    unit_mib=1,
    memory_step_mib=1,
    least_mib=256,
    least_with_count_mib=1024,
    compute_step=1,
    compute_required=True,
    compute_on_several_cards=True,
    whole_cards_leave_memory_out=True,
    full_compute_is_whole=True,
    memory_is_at_least=False,
)
HUAWEI = Vendor(
    unit_mib=128,
    memory_step_mib=128,
    least_mib=128,
    least_with_count_mib=128,
    compute_step=5,
    compute_required=False,
    compute_on_several_cards=True,
    whole_cards_leave_memory_out=False,
    full_compute_is_whole=True,
    memory_is_at_least=False,
)
ALIBABA = Vendor(
    unit_mib=1024,
    memory_step_mib=1024,
    least_mib=1024,
    least_with_count_mib=1024,
    compute_step=5,
    compute_required=False,
    compute_on_several_cards=False,
    whole_cards_leave_memory_out=False,
    full_compute_is_whole=False,
    memory_is_at_least=True,
)
VENDORS = {"volcengine": VOLCENGINE, "huawei": HUAWEI, "alibaba": ALIBABA}


def judged(vendor_name: str, cards: int | None, units: int | None, percent: int | None) -> tuple[set[str], Limits | None]:
    """Return the ids of what is wrong, and what each card gives where nothing is; None stands for what is not written."""
    vendor = VENDORS[vendor_name]
    wrong: set[str] = set()
    if units is not None and units <= 0:
        wrong.add("quantity")
    if percent is not None and percent <= 0:
        wrong.add("quantity")
    spread = cards if cards is not None else _cards_without_a_count(vendor, percent)
    memory = Fraction(units * vendor.unit_mib, spread) if units is not None and units > 0 else None
    compute = Fraction(percent, spread) if percent is not None and percent > 0 else None
    whole = vendor.full_compute_is_whole and compute == 100
    if whole and vendor.whole_cards_leave_memory_out:
        wrong |= {"whole-card-memory"} if units is not None else set()
    else:
        wrong |= _memory(vendor, memory, counted=cards is not None)
        if units is None:
            wrong.add("memory-missing")
    wrong |= _compute(vendor, compute, spread)
    if percent is not None and spread > 1 and not vendor.compute_on_several_cards:
        wrong = (wrong - {"core-step"}) | {"compute-unsupported"}
    if vendor.compute_required and percent is None:
        wrong.add("core-missing")
    return wrong, None if wrong else _limits(vendor, spread, memory, compute, whole=whole)


def _cards_without_a_count(vendor: Vendor, percent: int | None) -> int:
    """Return how many cards a container gets where no count is written: Volcengine's hundreds of percent are that many whole ones."""
    if vendor.whole_cards_leave_memory_out and percent in range(100, 100_000, 100):
        return int(percent or 0) // 100
    return 1


def _memory(vendor: Vendor, each: Fraction | None, *, counted: bool) -> set[str]:
    if each is None:
        return set()
    least = vendor.least_with_count_mib if counted else vendor.least_mib
    steps = each / vendor.memory_step_mib
    return ({"memory-step"} if int(steps) != steps else set()) | ({"memory-range"} if each < least or each > MOST_MIB else set())


def _compute(vendor: Vendor, each: Fraction | None, cards: int) -> set[str]:
    if each is None:
        return set()
    steps = each / vendor.compute_step
    too_little = each < 1 and (cards == 1 or vendor.compute_on_several_cards)
    return ({"core-step"} if int(steps) != steps else set()) | ({"core-range"} if too_little or each > 100 else set())


def _limits(vendor: Vendor, cards: int, memory: Fraction | None, compute: Fraction | None, *, whole: bool) -> Limits:
    limits: Limits = {"cards": cards}
    if compute is not None:
        limits["corePercent"] = int(compute)
    if whole:
        limits["whole"] = True
    elif memory is not None:
        limits["memoryMiB"] = int(memory)
        if vendor.memory_is_at_least:
            limits["memoryAtLeast"] = True
    return limits
