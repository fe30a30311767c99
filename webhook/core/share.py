"""The common model: what each container of a pod asks for, in whatever dialect it was written."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from webhook.core.pod import PodView, Where
from webhook.core.rules import Rules

if TYPE_CHECKING:
    from webhook.core.patterns import KeyPatterns
    from webhook.core.plugin import Dialect

Problem = Literal["unparsable", "not-whole", "not-positive"]


class Stage(Enum):
    """When in an object's life it is examined; rules about creation depend on it."""

    MANIFEST = "manifest"  # a file: not yet sent to the API server, the mutating webhook still to come
    LIVE = "live"  # a file taken from a cluster: creation is long past
    MUTATE = "mutate"  # CREATE, before the mutating webhook's patch
    VALIDATE = "validate"  # CREATE, the final object
    UPDATE = "update"  # an old object is at hand


@dataclass(slots=True)
class Sourced:
    """A number that remembers where it stands and how it was written; `value` is None where unreadable."""

    value: int | None
    where: Where
    written: Any
    problem: Problem | None = None


@dataclass(slots=True)
class Ask:
    """The resource keys of one dialect in one container, by role, as written."""

    where: Where
    name: str | None
    container: Mapping[str, Any]
    limits: dict[str, Any] = field(default_factory=dict)
    requests: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class GpuShare:
    """What one container asks for: totals over its cards.

    `cards` is None where the count cannot be known, `memory_mib` and `core_percent` (100 = one whole
    card's compute) are None where absent or unreadable. `memory_percent` (100 = one whole card's memory)
    stands where the manifest names no size. `whole` means that the cards are its own.
    """

    ask: Ask
    amounts: dict[str, Sourced]
    cards: int | None = None
    memory_mib: int | None = None
    core_percent: int | None = None
    whole: bool = False
    memory_percent: Fraction | int | None = None

    @property
    def memory(self) -> Sourced | None:
        """Return the memory as written."""
        return self.amounts.get("memory")

    @property
    def core(self) -> Sourced | None:
        """Return the compute as written."""
        return self.amounts.get("core")

    @property
    def name(self) -> str | None:
        """Return the container's name, None where it has none."""
        return self.ask.name

    @property
    def figures(self) -> tuple[int | None, int | None, int | None]:
        """Return cards, MiB and percent: what makes two shares the same."""
        return self.cards, self.memory_mib, self.core_percent

    def per_card(self, total: int | None) -> Fraction | None:
        """Return the exact part of `total` that falls on each card."""
        return None if total is None or not self.cards else Fraction(total, self.cards)


class KeyAt(NamedTuple):
    """A key of a container's resources that asks for no share, where it stands and what is written there."""

    key: str
    where: Where
    written: Any
    container: str | None


@dataclass(slots=True)
class Survey:
    """What one pass over a pod's containers found, before any of it is judged.

    By dialect id: `asks` and `init_asks`, `unknown` near-miss keys, `misplaced` pod-level keys in a
    container's resources, `foreign` keys of other stacks in its family, `near` keys that look like one of
    the dialect and are none. `whole_cards` are nobody's.
    """

    asks: dict[str, list[Ask]]
    init_asks: dict[str, list[Ask]]
    unknown: dict[str, list[KeyAt]]
    misplaced: dict[str, list[KeyAt]]
    foreign: dict[str, list[KeyAt]]
    near: dict[str, list[KeyAt]]
    whole_cards: list[KeyAt]

    def marked(self) -> list[str]:
        """Return the ids of the dialects that the pod's containers are written in.

        Sorted, because the API server sorts the keys of a container's limits: what is met first in a
        file need not be the first in its review.
        """
        return sorted({*self.asks, *self.init_asks, *self.unknown}) if self.init_asks or self.unknown else sorted(self.asks)


@dataclass(slots=True)
class GpuPod:
    """A pod as one dialect reads it, with all that a check may look at.

    `count` is the pod-wide card count or Volcengine's list as written; `entries` are the list's counts
    by container, None where one is unreadable; `repaired` is the list that would fit, where that is
    certain. `reserved` are the keys that only schedulers write. `others` are the further dialects of
    the same pod, `old` is the pod before an UPDATE. `sound` turns False once a check complained with an
    error. `valid_counts` are the counts that would do, by figures where each container has its own, once a hint has
    asked for them.
    """

    pod: PodView
    dialect: "Dialect"
    survey: Survey
    rules: Rules
    reserved: "KeyPatterns"
    shares: list[GpuShare] = field(default_factory=list)
    stage: Stage = Stage.MANIFEST
    creating: bool = True
    count: Sourced | None = None
    entries: list[int | None] | None = None
    repaired: str | None = None
    others: list["GpuPod"] = field(default_factory=list)
    old: "GpuPod | None" = None
    sound: bool = True
    valid_counts: dict[tuple[Any, ...], list[int]] = field(default_factory=dict)

    @property
    def init_asks(self) -> list[Ask]:
        """Return what init containers ask for in this dialect."""
        return self.survey.init_asks.get(self.dialect.id, [])

    @property
    def marked(self) -> bool:
        """Say whether a container holds a resource key of the dialect, known or not."""
        return bool(self.shares or self.init_asks or self.dialect.id in self.survey.unknown)

    @property
    def figures(self) -> tuple[Any, ...]:
        """Return the figures of all shares, for rules about the pod as a whole."""
        return tuple((share.name, *share.figures) for share in self.shares)
