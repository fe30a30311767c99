"""The neutral shares of a pod: what each container gets on each card, in no dialect, and what a translation says of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from webhook.core.pod import Where

# `rounded` gives more than was asked for, `assumed` rests on something that the manifest does not say; `lost` is
# left out of what is written, and with `impossible` nothing can be written.
Outcome = Literal["rounded", "assumed", "lost", "impossible"]
Amount = int | str
WHOLE_CARD_PERCENT = 100
GIB_IN_MIB = 1024


class Remark(NamedTuple):
    """What a translation changes, with its arithmetic; `container` is None where it concerns the whole pod."""

    outcome: Outcome
    text: str
    container: str | None = None


class Portion(NamedTuple):
    """What one container gets on each of its cards, in no dialect.

    `where` is the container's path from the pod. Memory is `memory_mib`, or where the manifest names no
    size `memory_percent` of the card; both are None for `whole` cards. `core_percent` is None where compute
    is not limited. `at_least` says that the card gave no less than `memory_mib`, and maybe more.
    """

    where: Where
    name: str | None
    cards: int
    memory_mib: int | None = None
    memory_percent: Fraction | None = None
    core_percent: int | None = None
    whole: bool = False
    at_least: bool = False


@dataclass(slots=True)
class Claim:
    """A device request of a container, for targets that ask by claims rather than by resources."""

    name: str
    spec: Mapping[str, Any]


class Grant(NamedTuple):
    """What a container will get on each card, in the order of `Portion`."""

    memory_mib: int | None = None
    memory_percent: Fraction | None = None
    core_percent: int | None = None
    whole: bool = False
    at_least: bool = False


WHOLE = Grant(core_percent=WHOLE_CARD_PERCENT, whole=True)


def up(number: int, quantum: int) -> int:
    """Return the multiple of `quantum` next to `number`, never below."""
    return -(-number // quantum) * quantum


def decimal(number: Fraction | int) -> str:
    """Return a fraction as a decimal number, with up to six places rounded up."""
    millionths = -(-Fraction(number) * 10**6 // 1)
    whole, part = divmod(millionths, 10**6)
    return f"{whole}.{part:06d}".rstrip("0").rstrip(".")


def bytes_text(mib: int) -> str:
    """Return MiB as a quantity of bytes: `8Gi`, `8191Mi`."""
    gib, rest = divmod(mib, GIB_IN_MIB)
    return f"{mib}Mi" if rest else f"{gib}Gi"


def unknown_size(portion: Portion, title: str) -> str:
    """Return why a share that names no size cannot be written in the dialect of this title."""
    percent = decimal(portion.memory_percent or WHOLE_CARD_PERCENT)
    return f"{percent} % of a card's memory; {title} needs MiB: set card_memory_mib of the dialect it is written in"


def over(portion: Portion) -> str:
    """Return `, 2 cards`, to end a sentence with."""
    return ", 1 card" if portion.cards == 1 else f", {portion.cards} cards"
