"""What a dialect and a check are, and how the engine collects them from their folders."""

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType
from typing import Any, Literal

from webhook.core.fieldpath import pointer
from webhook.core.finding import Complaint, Severity
from webhook.core.needs import Need
from webhook.core.patterns import KeyPatterns
from webhook.core.portions import GIB_IN_MIB
from webhook.core.share import GpuPod
from webhook.core.writing import Draft

Place = Literal["labels", "annotations", "resources"]


class PluginError(Exception):
    """A dialect or check contradicts another one, or is incomplete; raised at start."""


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """A vendor's spelling: mostly data, a function that reads a pod, and one that writes shares where that can be done.

    Sizes are MiB, compute is percent of one card. `page` is the user's documentation (Markdown).
    Fields that a site may set in its settings stand under "settings".
    """

    id: str
    title: str
    page: str
    # Keys by role ("memory", "core", "cards", "memory_percent", …), resources of a container unless said otherwise,
    # totals over the container's cards or figures of each card. A "cards" key outside the families is no mark.
    resources: Mapping[str, str]
    amount_place: Place = "resources"
    amounts_per_card: bool = False
    # Prefixes of resource names that are the vendor's even where the key is unknown (`unknown-key`); foreign keys are another dialect's.
    families: tuple[str, ...]
    foreign_keys: tuple[str, ...] = ()
    # Pod-level keys: the card count, and where it belongs; others by name.
    count_key: str = ""
    count_place: Place = "resources"
    count_is_list: bool = False
    compute_policy_key: str | None = None
    compute_policies: tuple[str, ...] = ()
    multi_card_compute_policy: str | None = None
    placement_key: str | None = None
    placement_values: tuple[str, ...] = ()
    # The pod annotation that names the container which gets the cards, where only one does.
    holder_key: str | None = None
    # Pod-level keys that a user may set and that change no amount.
    further_keys: Mapping[str, Place] = field(default_factory=dict)
    # What only the vendor's scheduler writes; a trailing * matches any ending.
    reserved_keys: tuple[str, ...] = ()
    # Environment variables that switch the vendor's isolation off; flags among them leave it on where they are 0 or false.
    isolation_env: tuple[str, ...] = ()
    isolation_flags: tuple[str, ...] = ()
    # What the vendor's nodes hold a container to, in words: "memory", "compute", and compute under a policy by its name.
    isolation: Mapping[str, str] = field(default_factory=dict)
    # Rules that are not the same for all vendors. The sets of roles that may be asked for together; empty: any.
    resource_sets: tuple[frozenset[str], ...] = ()
    init_containers_share: bool = False
    compute_required: bool = False
    compute_over_several_cards: bool = True
    full_compute_is_whole_card: bool = True
    whole_cards_leave_memory_out: bool = False
    containers_share_cards: bool = False
    containers_pool_cards: bool = False  # with cards that are shared: whether the containers' counts add up
    memory_units_mib: tuple[int, ...] = (1,)
    memory_unit_is_scaled: bool = False
    # Written behind each memory figure, where it is in bytes.
    memory_suffix: str = ""
    read: Callable[[GpuPod], None]
    write: Callable[[Draft], None] | None = None
    # Settings: dialects.<id>.<field>
    enabled: bool = True
    scheduler_name: str = "default-scheduler"
    accepted_schedulers: tuple[str, ...] = ()
    memory_unit_mib: int = 1
    memory_step_mib: int = 1
    memory_min_mib: int = 1
    memory_min_multi_mib: int | None = None
    memory_max_mib: int = 1_048_576
    core_step_percent: int = 1
    core_min_percent: int = 1
    max_cards: int = 64
    card_memory_mib: int | None = None
    card_model: str | None = None
    card_models: tuple[str, ...] = ()
    device_class: str | None = None
    device_driver: str | None = None

    @cached_property
    def unit_name(self) -> str:
        """Return how one unit of the memory key is called in a message."""
        if self.memory_suffix:
            return "bytes"
        return {1: "MiB", GIB_IN_MIB: "GiB"}.get(self.memory_unit_mib, f"blocks of {self.memory_unit_mib} MiB")

    @cached_property
    def isolation_switches(self) -> KeyPatterns:
        """Return the environment variables that switch the vendor's isolation off, ready to be looked up."""
        return KeyPatterns(self.isolation_env)

    @cached_property
    def source_keys(self) -> frozenset[str]:
        """Return the resource keys that go when a pod leaves the dialect."""
        return frozenset(self.resources.values() if self.amount_place == "resources" else ())

    @cached_property
    def text_keys(self) -> dict[Place, tuple[tuple[str, str], ...]]:
        """Return the labels and annotations that go when a pod leaves the dialect, each with its JSON Pointer below them."""
        holder: dict[str, Place] = {} if self.holder_key is None else {self.holder_key: "annotations"}
        keys = {**self.pod_keys, **self.further_keys, **holder}
        places: tuple[Place, ...] = ("labels", "annotations")
        return {place: tuple((key, pointer((key,))) for key, home in keys.items() if home == place) for place in places}

    def spread(self, cards: int) -> int:
        """Return over how many cards a figure of the manifest is spread: all of them, or one where it is each card's."""
        return 1 if self.amounts_per_card else cards

    @property
    def card_bears_all(self) -> bool:
        """Say whether what the containers of a pod ask for comes together on each card."""
        return self.containers_share_cards and not self.containers_pool_cards

    @property
    def seating(self) -> str:
        """Return which cards the containers of a pod get, to complete a sentence about them."""
        if self.containers_pool_cards:
            return "see all cards of the pod"
        return "sit on the same cards" if self.containers_share_cards else "get cards of their own"

    @property
    def memory_is_lower_bound(self) -> bool:
        """Say whether a card gives at least, not exactly, what is asked (Alibaba's scaled GiB)."""
        return self.memory_unit_is_scaled and self.memory_unit_mib > 1

    @cached_property
    def marks(self) -> dict[str, str]:
        """Return the resource keys that identify the dialect, by role."""
        if self.amount_place != "resources":
            return {}
        return {role: key for role, key in self.resources.items() if role != "cards" or key.startswith(self.families)}

    @cached_property
    def pod_keys(self) -> dict[str, Place]:
        """Return the pod-level keys that a user may set, and where each belongs."""
        keys = {self.count_key: self.count_place} if self.count_key else {}
        if self.amount_place != "resources":
            keys |= dict.fromkeys(self.resources.values(), self.amount_place)
        if self.compute_policy_key:
            keys[self.compute_policy_key] = "annotations"
        if self.placement_key:
            keys[self.placement_key] = "labels"
        return keys


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A rule with a stable id, for the dialects that it `concerns`. `run` returns complaints, none where all is well.

    `page` is the user's documentation (Markdown), its first line the summary. It runs only on pods with
    all that it `needs`. A check that is `last` runs after all others and may look at `GpuPod.sound`.
    """

    id: str
    page: str
    run: Callable[[GpuPod], Iterable[Complaint]]
    severity: Severity = "error"
    concerns: Callable[[Dialect], bool] = lambda _: True
    needs: Need = Need.MARKED
    last: bool = False

    @property
    def summary(self) -> str:
        """Return the first line of the page."""
        return self.page.strip().partition("\n")[0]


def collect(package: ModuleType, attribute: str) -> list[Any]:
    """Import every module of a package and return what each defines as `attribute`, by module name.

    Raises `PluginError` for a module that lacks it: a file in the folder is a plug-in or a mistake.
    """
    return list(_collected(package, attribute))


def _collected(package: ModuleType, attribute: str) -> Iterator[Any]:
    for module in sorted(info.name for info in pkgutil.iter_modules(package.__path__)):
        plugin = getattr(importlib.import_module(f"{package.__name__}.{module}"), attribute, None)
        if plugin is None:
            message = f"{package.__name__}.{module} defines no {attribute}"
            raise PluginError(message)
        yield plugin
