"""Reading: one pass over a pod's containers, and the parts that dialects build their `read` from."""

from collections.abc import Mapping
from typing import Any

from webhook.core.finding import ABSENT
from webhook.core.nearness import NearMisses
from webhook.core.pod import PodView, Where
from webhook.core.portions import WHOLE_CARD_PERCENT
from webhook.core.quantity import UnparsableError, parse_quantity, whole_number
from webhook.core.share import Ask, GpuPod, GpuShare, KeyAt, Sourced, Survey
from webhook.core.vocabulary import Vocabulary


def survey(pod: PodView, words: Vocabulary) -> Survey:
    """Return what the resource keys of all containers say, sorted by dialect."""
    found = Survey({}, {}, {}, {}, {}, {}, [])
    for where, container in pod.containers:
        _survey_container(found, found.asks, where, container, words)
    for where, container in pod.init_containers:
        _survey_container(found, found.init_asks, where, container, words)
    if words.pod_marks:
        for key in words.pod_marks.keys() & pod.annotations.keys():
            found.asks.setdefault(words.pod_marks[key], [])
    if found.asks:
        _survey_pod_keys(found, pod, words)
    return found


def _survey_pod_keys(found: Survey, pod: PodView, words: Vocabulary) -> None:
    """Note labels and annotations that are taken for one that counts."""
    known, near = words.pod_keys, words.near_pod_keys
    places: tuple[tuple[str, Mapping[Any, Any]], ...] = (("labels", pod.labels), ("annotations", pod.annotations))
    for place, keys in places:
        for key in keys:
            if key not in known and isinstance(key, str) and near.may_be(key) and key not in words.reserved:
                _note_near(found, KeyAt(key, ("metadata", place, key), keys[key], None), near)


def _note_near(found: Survey, other: KeyAt, known: NearMisses) -> None:
    dialect = known.dialect_of(other.key) if known.may_be(other.key) else None
    if dialect is not None:
        found.near.setdefault(dialect, []).append(other)


def _survey_container(found: Survey, asks: dict[str, list[Ask]], where: Where, container: Mapping[str, Any], words: Vocabulary) -> None:
    resources = container.get("resources")
    if not isinstance(resources, dict):
        return
    for bag_name in ("limits", "requests"):
        bag = resources.get(bag_name)
        if not isinstance(bag, dict):
            continue
        for key, written in bag.items():
            known = words.roles.get(key)
            if known is not None:
                ask = _ask_for(asks, known[0], where, container)
                (ask.limits if bag_name == "limits" else ask.requests)[known[1]] = written
            elif isinstance(key, str) and "/" in key:
                name = container.get("name")
                other = KeyAt(key, (*where, "resources", bag_name, key), written, name if isinstance(name, str) else None)
                _survey_other_key(found, other, words)


def _ask_for(asks: dict[str, list[Ask]], dialect: str, where: Where, container: Mapping[str, Any]) -> Ask:
    known = asks.setdefault(dialect, [])
    if not known or known[-1].where != where:
        name = container.get("name")
        known.append(Ask(where, name if isinstance(name, str) else None, container))
    return known[-1]


def _survey_other_key(found: Survey, other: KeyAt, words: Vocabulary) -> None:
    key = other.key
    if key in words.whole_cards:
        if not _is_zero(other.written):
            found.whole_cards.append(other)
    elif key in words.pod_keys:
        found.misplaced.setdefault(words.pod_keys[key], []).append(other)
    elif key in words.foreign:
        found.foreign.setdefault(words.foreign[key], []).append(other)
    elif key.startswith(words.family_prefixes):
        found.unknown.setdefault(words.family_of(key), []).append(other)
    else:
        _note_near(found, other, words.near_roles)


def _is_zero(written: Any) -> bool:
    try:
        return parse_quantity(written) == 0
    except UnparsableError:
        return False


def read_shares(gpu: GpuPod) -> None:
    """Fill `gpu.shares` with the amounts of every container that asks; cards are still unknown.

    Limits hold the truth (a request must equal its limit); a lone request is read so that the other
    rules can be applied to it.
    """
    for ask in gpu.survey.asks.get(gpu.dialect.id, ()):
        amounts = {}
        for role, key in gpu.dialect.resources.items():
            amount = _amount(ask, role, key)
            if amount is not None:
                amounts[role] = amount
        share = GpuShare(ask, amounts)
        memory, core = amounts.get("memory"), amounts.get("core")
        if memory is not None and memory.value is not None:
            share.memory_mib = memory.value * gpu.dialect.memory_unit_mib
        if core is not None:
            share.core_percent = core.value
        gpu.shares.append(share)


def _amount(ask: Ask, role: str, key: str) -> Sourced | None:
    written = ask.limits.get(role, ABSENT)
    if written is not ABSENT:
        return quantity((*ask.where, "resources", "limits", key), written)
    written = ask.requests.get(role, ABSENT)
    if written is not ABSENT:
        return quantity((*ask.where, "resources", "requests", key), written)
    return None


def quantity(where: Where, written: Any) -> Sourced:
    """Read a quantity that must be a positive whole number."""
    try:
        number = parse_quantity(written)
    except UnparsableError:
        return Sourced(None, where, written, "unparsable")
    if number <= 0:
        return Sourced(None, where, written, "not-positive")
    if not isinstance(number, int):
        return Sourced(None, where, written, "not-whole")
    return Sourced(number, where, written)


def read_label_count(gpu: GpuPod) -> None:
    """Read a pod-wide card count from its label and give it to every share; without one it is 1."""
    written = gpu.pod.labels.get(gpu.dialect.count_key, ABSENT)
    if written is ABSENT:
        settle(gpu, 1)
        return
    cards = card_count(written, gpu.dialect.max_cards)
    gpu.count = Sourced(cards, ("metadata", "labels", gpu.dialect.count_key), written)
    settle(gpu, cards)


def card_count(written: Any, most: int) -> int | None:
    """Return the count that a text spells, None where it spells none or more than `most`."""
    cards = whole_number(written, most) if isinstance(written, str) else None
    return cards if cards is not None and cards <= most else None


def settle(gpu: GpuPod, cards: int | None) -> None:
    """Give every share the same number of cards."""
    for share in gpu.shares:
        settle_share(gpu, share, cards)


def settle_share(gpu: GpuPod, share: GpuShare, cards: int | None) -> None:
    """Give a share its cards, and see whether it takes them whole: 100 % of each."""
    share.cards = cards
    share.whole = gpu.dialect.full_compute_is_whole_card and cards is not None and share.core_percent == WHOLE_CARD_PERCENT * cards
