"""Which dialects can be said in CEL: those that count cards in one of the ways that have expressions, and read as their data says."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from webhook.core.engine import Engine
from webhook.core.plugin import Dialect
from webhook.policies.shares import MOST_UNIT_MIB, MOST_UNIT_TIMES_STEP

_ROLES = {"memory", "core", "tflops"}
_NAMES = ("sidecar", "app")


class Probe(NamedTuple):
    """A card count as written and an amount of compute, and the cards that a dialect of known make reads from them.

    Those of both containers: the first one asks for nothing where its cards are 0.
    """

    written: str | None
    core: int
    cards: tuple[int | None, int | None]


_LABEL_PROBES = (
    Probe(None, 30, (0, 1)),
    Probe(None, 200, (1, 1)),
    Probe("1", 30, (0, 1)),
    Probe("3", 30, (0, 3)),
    Probe("3", 300, (3, 3)),
    Probe("02", 30, (0, None)),
)
_LIST_PROBES = (
    Probe(None, 30, (0, 1)),
    Probe(None, 200, (2, 2)),
    Probe("0,3", 30, (0, 3)),
    Probe("0,3", 300, (0, 3)),
    Probe("2,3", 300, (2, 3)),
    Probe("2,0", 30, (0, None)),
    Probe("3", 30, (0, 3)),
)


def obstacle(engine: Engine, dialect: Dialect) -> str:
    """Return why a dialect has no policies, empty where it has them."""
    if dialect.amount_place != "resources":
        return "its amounts stand in annotations, which may hold anything"
    if not dialect.count_key or not {"memory", "core"} <= dialect.resources.keys() <= _ROLES or dialect.resource_sets:
        return "its cards are counted among the resources, or follow from them in a way of its own"
    if dialect.amounts_per_card or dialect.memory_suffix:
        return "its figures are of each card, or in bytes"
    if dialect.holder_key:
        return "one container alone gets the cards"
    if dialect.memory_unit_mib > MOST_UNIT_MIB or dialect.memory_unit_mib * dialect.memory_step_mib > MOST_UNIT_TIMES_STEP:
        return "its unit and step of memory exceed what an API server can reckon with"
    probes = _LIST_PROBES if dialect.count_is_list else _LABEL_PROBES
    return "" if all(_agrees(engine, dialect, probe) for probe in probes) else "it reads its counts in a way of its own"


def _agrees(engine: Engine, dialect: Dialect, probe: Probe) -> bool:
    """Say whether the dialect's own reading gives the cards that its data promises."""
    shares = [share for gpu in engine.examine(_pod(dialect, probe)).pods if gpu.dialect.id == dialect.id for share in gpu.shares]
    return [(share.cards, share.memory_mib, share.core_percent) for share in shares] == [
        (cards, 6 * dialect.memory_unit_mib, probe.core) for cards in probe.cards if cards != 0
    ]


def _pod(dialect: Dialect, probe: Probe) -> Mapping[str, Any]:
    limits = {dialect.resources["memory"]: 6, dialect.resources["core"]: probe.core}
    metadata = {} if probe.written is None else {dialect.count_place: {dialect.count_key: probe.written}}
    asking = {"resources": {"limits": limits}}
    containers = [{"name": name, **({} if cards == 0 else asking)} for name, cards in zip(_NAMES, probe.cards, strict=True)]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": containers}}


def obstacles(engine: Engine) -> Iterator[tuple[Dialect, str]]:
    """Yield the dialects in force that have no policies, each with the reason."""
    for dialect in engine.dialects:
        found = obstacle(engine, dialect)
        if found:
            yield dialect, found
