"""Words for figures: totals, splits and steps as messages spell them."""

from collections.abc import Iterable
from math import gcd

from webhook.core.portions import GIB_IN_MIB


def _quotient(total: int, parts: int) -> str:
    """Return `2730 2/3` for 8192/3, `2730` for a whole number, `2/3` below one."""
    whole, rest = divmod(total, parts)
    if not rest:
        return str(whole)
    common = gcd(rest, parts)
    part = f"{rest // common}/{parts // common}"
    return f"{whole} {part}" if whole else part


def cards_text(cards: int) -> str:
    """Return `1 card`, `2 cards`."""
    return "1 card" if cards == 1 else f"{cards} cards"


def split_text(total: int, unit: str, cards: int) -> str:
    """Return `8192 MiB over 3 cards, 2730 2/3 MiB each`, or `8192 MiB on 1 card`."""
    if cards == 1:
        return f"{total} {unit} on 1 card"
    return f"{total} {unit} over {cards} cards, {_quotient(total, cards)} {unit} each"


def mib_text(mib: int) -> str:
    """Return `128 MiB`, and from 1 GiB on `2048 MiB (2 GiB)`."""
    gib, rest = divmod(mib, GIB_IN_MIB)
    return f"{mib} MiB ({gib} GiB)" if gib and not rest else f"{mib} MiB"


def step_text(step: int, unit: str) -> str:
    """Return what a figure on each card must be: `a multiple of 128 MiB`, or `a whole number of MiB` where the step is 1."""
    if step == 1:
        return f"a whole number of {'percent' if unit == '%' else unit}"
    return f"a multiple of {mib_text(step) if unit == 'MiB' else f'{step} {unit}'}"


def either(options: Iterable[str]) -> str:
    """Return `a`, `a or b`, `a, b or c`."""
    *first, last = options
    return f"{', '.join(first)} or {last}" if first else last
