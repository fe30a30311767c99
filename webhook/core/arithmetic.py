"""The arithmetic of an even split, and the words for it: what is wrong, what would be right."""

from collections.abc import Iterable
from fractions import Fraction
from math import lcm

from webhook.core.quantity import binary_suffix, carries_suffix, parse_quantity
from webhook.core.share import GpuPod, GpuShare

WHOLE_CARD_PERCENT = 100


def mixed(number: Fraction | int) -> str:
    """Return `2730 2/3` for 8192/3, `2730` for a whole number, `2/3` below one."""
    whole, rest = divmod(Fraction(number), 1)
    if not rest:
        return str(whole)
    return f"{whole} {rest}" if whole else str(rest)


def cards_text(cards: int) -> str:
    """Return `1 card`, `2 cards`."""
    return "1 card" if cards == 1 else f"{cards} cards"


def split_text(total: int, unit: str, cards: int) -> str:
    """Return `8192 MiB over 3 cards, 2730 2/3 MiB each`, or `8192 MiB on 1 card`."""
    if cards == 1:
        return f"{total} {unit} on 1 card"
    return f"{total} {unit} over {cards} cards, {mixed(Fraction(total, cards))} {unit} each"


def mib_text(mib: int) -> str:
    """Return `128 MiB`, and from 1 GiB on `2048 MiB (2 GiB)`."""
    gib, rest = divmod(mib, 1024)
    return f"{mib} MiB ({gib} GiB)" if gib and not rest else f"{mib} MiB"


def minimum_mib(gpu: GpuPod) -> int:
    """Return the least memory that a card must give; Volcengine wants more where the list is present."""
    dialect = gpu.dialect
    several = dialect.memory_min_multi_mib
    return dialect.memory_min_mib if several is None or gpu.count is None else several


def is_wrong_unit(gpu: GpuPod, share: GpuShare, role: str) -> bool:
    """Say whether memory or compute is over the maximum and written with a suffix: meant in bytes, most likely."""
    cards = share.cards or gpu.dialect.max_cards
    total, most = (share.memory_mib, gpu.dialect.memory_max_mib) if role == "memory" else (share.core_percent, WHOLE_CARD_PERCENT)
    return role != "tflops" and total is not None and total > cards * most and carries_suffix(share.amounts[role].written)


def valid_memory(gpu: GpuPod, units: int, cards: int) -> list[int]:
    """Return the nearest valid totals below and above `units`, in the dialect's own unit."""
    dialect = gpu.dialect
    quantum = lcm(cards * dialect.memory_step_mib, dialect.memory_unit_mib) // dialect.memory_unit_mib
    low = Fraction(cards * minimum_mib(gpu), dialect.memory_unit_mib)
    high = Fraction(cards * dialect.memory_max_mib, dialect.memory_unit_mib)
    return nearest(units, quantum, low, high)


def valid_core(gpu: GpuPod, percent: int, cards: int) -> list[int]:
    """Return the nearest valid total percentages below and above `percent`."""
    quantum = cards * gpu.dialect.core_step_percent
    return nearest(percent, quantum, Fraction(quantum), Fraction(cards * WHOLE_CARD_PERCENT))


def nearest(number: int, quantum: int, low: Fraction, high: Fraction) -> list[int]:
    """Return the multiples of `quantum` in low..high next to `number`: one below, one above."""
    least, most = -(-low // quantum) * quantum, high // quantum * quantum
    if least > most:
        return []
    below, above = number // quantum * quantum, -(-number // quantum) * quantum
    return sorted({min(max(candidate, least), most) for candidate in (below, above)} - {number})


def divides(gpu: GpuPod, share: GpuShare, cards: int) -> bool:
    """Say whether a share would be valid on that many cards."""
    dialect = gpu.dialect
    if share.memory_mib is not None and not _fits_memory(gpu, share.memory_mib, cards):
        return False
    if share.core_percent is None:
        return True
    if cards > 1 and not dialect.compute_over_several_cards:
        return False
    return share.core_percent % (cards * dialect.core_step_percent) == 0 and share.core_percent <= cards * WHOLE_CARD_PERCENT


def _fits_memory(gpu: GpuPod, memory_mib: int, cards: int) -> bool:
    dialect = gpu.dialect
    in_range = cards * minimum_mib(gpu) <= memory_mib <= cards * dialect.memory_max_mib
    return in_range and memory_mib % (cards * dialect.memory_step_mib) == 0


def valid_counts(gpu: GpuPod, share: GpuShare, cards: int) -> list[int]:
    """Return the nearest card counts, one below and one above `cards`, on which the share is valid.

    A pod-wide count must suit every container that asks.
    """
    shares = [share] if gpu.dialect.count_is_list else gpu.shares
    below = _first_count(gpu, shares, range(cards - 1, 0, -1))
    above = _first_count(gpu, shares, range(cards + 1, gpu.dialect.max_cards + 1))
    return [count for count in (below, above) if count is not None]


def _first_count(gpu: GpuPod, shares: list[GpuShare], counts: Iterable[int]) -> int | None:
    return next((count for count in counts if all(divides(gpu, share, count) for share in shares)), None)


def either(options: Iterable[str]) -> str:
    """Return `a`, `a or b`, `a, b or c`."""
    *first, last = options
    return f"{', '.join(first)} or {last}" if first else last


def memory_hint(gpu: GpuPod, share: GpuShare, units: int, cards: int) -> str:
    """Return what to write instead of `units`, and the card counts that would do."""
    unit = gpu.dialect.memory_unit_mib
    options = [f'"{total}" ({total * unit // cards} MiB on each card)' for total in valid_memory(gpu, units, cards)]
    return _hint(gpu, share, options, cards)


def core_hint(gpu: GpuPod, share: GpuShare, percent: int, cards: int) -> str:
    """Return what to write instead of `percent`, and the card counts that would do."""
    options = [_core_option(gpu, share, total, cards) for total in valid_core(gpu, percent, cards)]
    return _hint(gpu, share, options, cards)


def _core_option(gpu: GpuPod, share: GpuShare, total: int, cards: int) -> str:
    if total == cards * WHOLE_CARD_PERCENT and gpu.dialect.whole_cards_leave_memory_out and share.memory is not None:
        return f'"{total}" without memory ({cards_text(cards)} whole)'
    return f'"{total}" ({total // cards} % on each card)'


def _hint(gpu: GpuPod, share: GpuShare, options: list[str], cards: int) -> str:
    counts = valid_counts(gpu, share, cards)
    write = f"write {either(options)}" if options else ""
    ask = f"ask for {either([*map(str, counts[:-1]), cards_text(counts[-1])])}" if counts else ""
    return ", or ".join(part for part in (write, ask) if part)


def byte_reading(gpu: GpuPod, written: str, cards: int) -> int | None:
    """Return the valid total, in the dialect's unit, for a value that was meant in bytes; None where there is none.

    `8Gi` is 64 blocks of 128 MiB; `10G` is taken for 10 GiB, as whoever writes it means it.
    """
    size_bytes = parse_quantity(binary_suffix(written))
    unit_bytes = gpu.dialect.memory_unit_mib << 20
    units = -(-size_bytes // unit_bytes)
    if _fits_memory(gpu, units * gpu.dialect.memory_unit_mib, cards):
        return int(units)
    return next(iter(reversed(valid_memory(gpu, int(units), cards))), None)
