"""Writing: a pod on its way into a dialect, and the parts that dialects build their `write` from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

from webhook.core.pod import Where
from webhook.core.portions import (
    WHOLE_CARD_PERCENT,
    Amount,
    Claim,
    Grant,
    Outcome,
    Portion,
    Remark,
    bytes_text,
    decimal,
    over,
    unknown_size,
    up,
)

if TYPE_CHECKING:
    from webhook.core.plugin import Dialect


@dataclass(slots=True)
class Draft:
    """A pod on its way into a dialect: what is to be written, and what is written so far.

    `containers` are all `spec.containers[]` with their paths. `amounts` are resources by container; `granted`
    is what each portion will get as the dialect reads it back.
    """

    dialect: "Dialect"
    portions: tuple[Portion, ...]
    containers: Sequence[tuple[Where, Mapping[str, Any]]] = ()
    amounts: dict[Where, Mapping[str, Amount]] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    annotations: dict[str, str] = field(default_factory=dict)
    claims: dict[Where, Claim] = field(default_factory=dict)
    granted: list[tuple[Portion, Grant]] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)

    @property
    def is_possible(self) -> bool:
        """Say whether the pod can be written at all."""
        return not self.remarks or all(remark.outcome != "impossible" for remark in self.remarks)

    @property
    def is_lossless(self) -> bool:
        """Say whether nothing that was asked for is left out."""
        return not self.remarks or all(remark.outcome not in ("impossible", "lost") for remark in self.remarks)

    def remark(self, outcome: Outcome, text: str, portion: Portion | None = None) -> None:
        """Add a remark."""
        self.remarks.append(Remark(outcome, text, portion.name if portion else None))

    def give(self, portion: Portion, amounts: Mapping[str, Amount], granted: Grant) -> None:
        """Write the amounts of a container, and note what it will get on each card."""
        self.amounts[portion.where] = amounts
        self.granted.append((portion, granted))

    def takes_whole_cards(self, portion: Portion) -> None:
        """Remark that 100 % of compute takes more than was asked for, unless whole cards were."""
        if not portion.whole:
            text = f"100 % of compute on each card takes the cards whole, not {portion.memory_mib} MiB of each"
            self.remark("rounded", text, portion)

    def share(self, portion: Portion, keys: Mapping[str, str] | None = None) -> None:
        """Write the part of a card under the dialect's keys (by role) for cards, memory and compute, in its own units."""
        keys = self.dialect.resources if keys is None else keys
        spread = self.dialect.spread(portion.cards)
        amounts: dict[str, Amount] = {keys["cards"]: portion.cards}
        memory, percent = None, None
        if portion.memory_percent is not None and "memory_percent" in keys:
            percent = self.share_of_memory(portion)
            amounts[keys["memory_percent"]] = percent * spread
        else:
            memory = self.memory(portion)
            amounts[keys["memory"]] = self.units((memory or 0) * spread)
        core = self.core(portion)
        if core is not None:
            amounts[keys["core"]] = core * spread
        self.give(portion, amounts, Grant(memory, None if percent is None else Fraction(percent), core))

    def units(self, mib: int) -> Amount:
        """Return MiB as the dialect writes them."""
        dialect = self.dialect
        return bytes_text(mib) if dialect.memory_suffix else mib // dialect.memory_unit_mib

    def one_count(self) -> int | None:
        """Return the cards that all containers have alike; where they differ a count for the pod cannot say it."""
        counts = sorted({portion.cards for portion in self.portions})
        if len(counts) == 1:
            return counts[0]
        listed = " and ".join(map(str, counts))
        self.remark("impossible", f"containers ask for {listed} cards; {self.dialect.title} has one card count for the whole pod")
        return None

    def memory(self, portion: Portion, least_mib: int | None = None) -> int | None:
        """Return the MiB of each card, rounded up to what the dialect can say; None where no size is known."""
        if portion.memory_mib is None:
            self.remark("impossible", unknown_size(portion, self.dialect.title), portion)
            return None
        dialect, asked = self.dialect, portion.memory_mib
        least = dialect.memory_min_mib if least_mib is None else least_mib
        if dialect.memory_step_mib == dialect.memory_unit_mib == 1 and least <= asked <= dialect.memory_max_mib:
            return asked
        each = self._stepped(max(asked, least), portion.cards)
        if each > dialect.memory_max_mib:
            text = f"{portion.memory_mib} MiB on a card; {self.dialect.title} gives at most {self.dialect.memory_max_mib} MiB"
            self.remark("impossible", text, portion)
        elif each != portion.memory_mib:
            self._rounded_memory(portion, each, least)
        return each

    def _stepped(self, each_mib: int, cards: int) -> int:
        dialect = self.dialect
        step, unit = dialect.memory_step_mib, dialect.memory_unit_mib
        if step % unit == 0:
            return up(each_mib, step)
        spread = dialect.spread(cards)
        return up(each_mib * spread, lcm(spread * step, unit)) // spread

    def _rounded_memory(self, portion: Portion, each: int, least: int) -> None:
        asked = portion.memory_mib or 0
        step = self.dialect.memory_step_mib
        reason = f"steps of {step} MiB per card" if asked >= least else f"at least {least} MiB per card"
        self.remark("rounded", f"{self._change(portion, asked, each, 'MiB')}: {reason}{over(portion)}", portion)

    def core(self, portion: Portion) -> int | None:
        """Return the percent of each card, rounded up to what the dialect can say; None where compute is not limited."""
        asked = portion.core_percent
        if asked is None:
            return None
        dialect = self.dialect
        if dialect.core_step_percent == 1 and asked >= dialect.core_min_percent:
            return asked
        each = up(max(asked, dialect.core_min_percent), dialect.core_step_percent)
        if each > WHOLE_CARD_PERCENT:
            self.remark(
                "impossible", f"{asked} % of compute on a card; with steps of {dialect.core_step_percent} the next is {each} %", portion
            )
        elif each != asked:
            least = dialect.core_min_percent
            reason = f"steps of {dialect.core_step_percent} per card" if asked >= least else f"at least {least} per card"
            self.remark("rounded", f"{self._change(portion, asked, each, '%')}: {reason}{over(portion)}", portion)
        return each

    def share_of_memory(self, portion: Portion) -> int:
        """Return the whole percent of each card's memory, rounded up."""
        asked = portion.memory_percent or Fraction(0)
        each = -(-asked // 1)
        if each != asked:
            self.remark("rounded", f"{decimal(asked)} % of a card's memory becomes {each} %: whole percents", portion)
        return each

    def _change(self, portion: Portion, before: int, after: int, unit: str) -> str:
        """Return what becomes of a figure as the target writes it: over all cards, or for each."""
        spread = self.dialect.spread(portion.cards)
        return f"{before * spread} {unit} becomes {after * spread} {unit}"
