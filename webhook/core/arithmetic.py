"""The arithmetic of an even split: what is wrong, what would be right."""

from collections.abc import Iterable
from fractions import Fraction
from math import lcm

from webhook.core.portions import WHOLE_CARD_PERCENT
from webhook.core.quantity import binary_suffix, carries_suffix, parse_quantity
from webhook.core.share import GpuPod, GpuShare
from webhook.core.wording import cards_text, either


def _option(written: str, total: int, unit: str, cards: int) -> str:
    """Return what to write and what it gives: `"64" (4096 MiB on each card)`, or `"256"` where that says it all."""
    each = f"{total // cards} {unit} on each card" if cards > 1 else f"{total} {unit}"
    return f'"{written}"' if cards == 1 and written == str(total) else f'"{written}" ({each})'


def minimum_mib(gpu: GpuPod, cards: int) -> int:
    """Return the least memory that a card must give; Volcengine wants more where the list is present, as for several cards it must be."""
    dialect = gpu.dialect
    several = dialect.memory_min_multi_mib
    return dialect.memory_min_mib if several is None or (gpu.count is None and cards == 1) else several


def is_wrong_unit(gpu: GpuPod, share: GpuShare, role: str) -> bool:
    """Say whether memory or compute is over the maximum and written with a suffix: meant in bytes, most likely."""
    dialect, total = gpu.dialect, share.memory_mib if role == "memory" else share.core_percent
    most = dialect.memory_max_mib if role == "memory" else WHOLE_CARD_PERCENT
    if total is None or total <= (share.cards or dialect.max_cards) * most:
        return False
    return role in ("memory", "core") and not dialect.memory_suffix and carries_suffix(share.amounts[role].written)


def valid_memory(gpu: GpuPod, units: int | Fraction, cards: int) -> list[int]:
    """Return the nearest valid totals below and above `units`, in the dialect's own unit."""
    dialect = gpu.dialect
    cards = dialect.spread(cards)
    quantum = lcm(cards * dialect.memory_step_mib, dialect.memory_unit_mib) // dialect.memory_unit_mib
    low = -(-cards * minimum_mib(gpu, cards) // dialect.memory_unit_mib)
    return nearest(units, quantum, low, cards * dialect.memory_max_mib // dialect.memory_unit_mib)


def most_memory(gpu: GpuPod, left_mib: int, cards: int) -> int:
    """Return the largest total, in the dialect's own unit, that divides and takes no more than `left_mib`; 0 where none does."""
    quantum = lcm(cards * gpu.dialect.memory_step_mib, gpu.dialect.memory_unit_mib)
    return left_mib // quantum * quantum // gpu.dialect.memory_unit_mib


def valid_core(gpu: GpuPod, percent: int | Fraction, cards: int) -> list[int]:
    """Return the nearest valid total percentages below and above `percent`."""
    dialect = gpu.dialect
    cards = dialect.spread(cards)
    return nearest(percent, cards * dialect.core_step_percent, cards * dialect.core_min_percent, cards * WHOLE_CARD_PERCENT)


def nearest(number: int | Fraction, quantum: int, low: int, high: int) -> list[int]:
    """Return the multiples of `quantum` in low..high next to `number`: one below, one above."""
    least, most = -(-low // quantum) * quantum, high // quantum * quantum
    if least > most:
        return []
    below, above = number // quantum * quantum, -(-number // quantum) * quantum
    return sorted({min(max(candidate, least), most) for candidate in (below, above)} - {number})


def divides(gpu: GpuPod, share: GpuShare, cards: int) -> bool:
    """Say whether a share would be valid on that many cards."""
    fits_memory = share.memory_mib is None or _fits_memory(gpu, share.memory_mib, cards)
    return fits_memory and (share.core_percent is None or _fits_core(gpu, share, share.core_percent, cards))


def _fits_core(gpu: GpuPod, share: GpuShare, percent: int, cards: int) -> bool:
    dialect, most = gpu.dialect, cards * WHOLE_CARD_PERCENT
    if cards > 1 and not dialect.compute_over_several_cards:
        return False
    if dialect.whole_cards_leave_memory_out and (percent == most) is (share.memory is not None):
        return False
    return percent % (cards * dialect.core_step_percent) == 0 and cards * dialect.core_min_percent <= percent <= most


def _fits_memory(gpu: GpuPod, memory_mib: int, cards: int) -> bool:
    dialect = gpu.dialect
    in_range = cards * minimum_mib(gpu, cards) <= memory_mib <= cards * dialect.memory_max_mib
    return in_range and memory_mib % (cards * dialect.memory_step_mib) == 0


def valid_counts(gpu: GpuPod, share: GpuShare, cards: int) -> list[int]:
    """Return the nearest card counts, one below and one above `cards`, on which the share is valid.

    A pod-wide count must suit every container that asks. Each is looked for once.
    """
    if gpu.dialect.amounts_per_card:
        return []
    is_list = gpu.dialect.count_is_list
    about = (*share.figures, share.memory is None) if is_list else ()
    if about not in gpu.valid_counts:
        gpu.valid_counts[about] = _valid_counts(gpu, [share] if is_list else gpu.shares, cards)
    return gpu.valid_counts[about]


def _valid_counts(gpu: GpuPod, shares: list[GpuShare], cards: int) -> list[int]:
    below = _first_count(gpu, shares, range(cards - 1, 0, -1))
    above = _first_count(gpu, shares, range(cards + 1, _most_cards(gpu, shares, cards + 1) + 1))
    return [count for count in (below, above) if count is not None]


def _most_cards(gpu: GpuPod, shares: list[GpuShare], least: int) -> int:
    """Return how many cards, from `least` on, the shares can at the most be cut into: each piece must reach its minimum."""
    most, least_mib = gpu.dialect.max_cards, minimum_mib(gpu, least)
    for share in shares:
        if share.memory_mib is not None:
            most = min(most, share.memory_mib // least_mib)
        if share.core_percent is not None:
            most = min(most, share.core_percent // gpu.dialect.core_step_percent)
    return most


def _first_count(gpu: GpuPod, shares: list[GpuShare], counts: Iterable[int]) -> int | None:
    for count in counts:
        for share in shares:
            if not divides(gpu, share, count):
                break
        else:
            return count
    return None


def memory_hint(gpu: GpuPod, share: GpuShare, units: int, cards: int) -> str:
    """Return what to write instead of `units`, and the card counts that would do."""
    return _hint(gpu, share, memory_options(gpu, valid_memory(gpu, units, cards), cards), cards)


def memory_options(gpu: GpuPod, totals: Iterable[int], cards: int) -> list[str]:
    """Return totals in the dialect's unit as one would write them, each with what it gives."""
    dialect = gpu.dialect
    return [_option(f"{total}{dialect.memory_suffix}", total * dialect.memory_unit_mib, "MiB", dialect.spread(cards)) for total in totals]


def core_hint(gpu: GpuPod, share: GpuShare, percent: int, cards: int) -> str:
    """Return what to write instead of `percent`, and the card counts that would do."""
    percent = percent * gpu.dialect.spread(cards) // cards
    totals, most = valid_core(gpu, percent, cards), cards * WHOLE_CARD_PERCENT
    if not gpu.dialect.whole_cards_leave_memory_out or most not in totals:
        return _hint(gpu, share, core_options(gpu, totals, cards), cards)
    shared = {*totals, most - cards * gpu.dialect.core_step_percent} - {most, 0} if share.memory is not None else set()
    return _hint(gpu, share, core_options(gpu, sorted(shared), cards) + _whole_options(gpu, share, percent, cards), cards)


def core_options(gpu: GpuPod, totals: Iterable[int], cards: int) -> list[str]:
    """Return total percentages as one would write them, each with what it gives."""
    return [_option(str(total), total, "%", gpu.dialect.spread(cards)) for total in totals]


def _whole_options(gpu: GpuPod, share: GpuShare, percent: int, cards: int) -> list[str]:
    """Return how the cards are taken whole; without a list of counts the percentage says how many."""
    fewer, more = max(1, percent // WHOLE_CARD_PERCENT), -(-percent // WHOLE_CARD_PERCENT)
    counts = {min(number, gpu.dialect.max_cards) for number in (fewer, more)} if gpu.count is None else {cards}
    without = " without memory" if share.memory is not None else ""
    return [f'"{count * WHOLE_CARD_PERCENT}"{without} ({cards_text(count)} whole)' for count in sorted(counts)]


def _hint(gpu: GpuPod, share: GpuShare, options: list[str], cards: int) -> str:
    counts = valid_counts(gpu, share, cards)
    write = f"write {either(options)}" if options else ""
    ask = f"ask for {either([*map(str, counts[:-1]), cards_text(counts[-1])])}" if counts else ""
    return ", or ".join(part for part in (write, ask) if part)


def options_in_mib(gpu: GpuPod, mib: int, cards: int) -> list[str]:
    """Return the totals next to a number that was meant in MiB where the key counts something larger; none where it is too much."""
    if gpu.dialect.memory_unit_mib == 1 or not minimum_mib(gpu, cards) * cards <= mib <= gpu.dialect.memory_max_mib * cards:
        return []
    units = Fraction(mib, gpu.dialect.memory_unit_mib)
    fits = units.denominator == 1 and _fits_memory(gpu, mib, cards)
    return memory_options(gpu, [int(units)] if fits else valid_memory(gpu, units, cards), cards)


def byte_options(gpu: GpuPod, written: str, cards: int) -> list[str]:
    """Return the valid totals, in the dialect's unit, next to a value that was meant in bytes.

    `8Gi` is 64 blocks of 128 MiB; `10G` is taken for 10 GiB, as whoever writes it means it.
    """
    units = Fraction(parse_quantity(binary_suffix(written)), gpu.dialect.memory_unit_mib << 20)
    fits = units.denominator == 1 and _fits_memory(gpu, int(units) * gpu.dialect.memory_unit_mib, cards)
    return memory_options(gpu, [int(units)] if fits else valid_memory(gpu, units, cards), cards)
