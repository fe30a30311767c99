"""Volcengine VKE, mGPU over several cards.

A pod annotation lists how many cards each container gets, one entry per container in order; memory
and compute are totals of the container.

| what | where | unit |
|---|---|---|
| memory | `vke.volcengine.com/mgpu-memory` in limits and requests | MiB, total over the cards |
| compute | `vke.volcengine.com/mgpu-core` in limits and requests | percent of one card, total over the cards |
| cards | pod annotation `vke.volcengine.com/container-multiple-gpu` | a list of counts |
| policy | pod annotation `vke.volcengine.com/mgpu-compute-policy` | a name |

The list has one count per `spec.containers[]`, as in `"2,0,1"`, and 0 for a container that asks for
nothing. With it the policy must be `native-burst-share`; without it `fixed-share`,
`guaranteed-burst-share` or no policy do as well.

Compute is mandatory. N × 100 % takes N cards whole and leaves memory out. A card gives at least 256 MiB,
with the list 1024 MiB.

Where the vendor's own validator differs, percard judges what its pages promise: the validator stops at
the first whole card and skips what follows, rounds `500m` up to 1, takes `4Gi` for 4294967296 MiB, reads
`+2` and `02` as numbers, and does not look at the policy at admission. percard refuses all of these.

Sources: Volcengine VKE, "mGPU multi-card sharing"; mGPU console limits (docs/6460/182418); the mGPU
design and admission code in volcano-sh/volcano pull request 3030.
"""

from webhook.core.finding import ABSENT
from webhook.core.limits import granted_cards
from webhook.core.plugin import Dialect
from webhook.core.portions import WHOLE, WHOLE_CARD_PERCENT, Grant, Portion
from webhook.core.reading import card_count, read_shares, settle_share
from webhook.core.share import GpuPod, GpuShare, Sourced, Stage
from webhook.core.writing import Draft


def _read(gpu: GpuPod) -> None:
    read_shares(gpu)
    written = gpu.pod.annotations.get(gpu.dialect.count_key, ABSENT)
    if written is ABSENT:
        for share in gpu.shares:
            settle_share(gpu, share, _cards_without_list(share))
        return
    gpu.count = Sourced(None, ("metadata", "annotations", gpu.dialect.count_key), written)
    gpu.entries = _entries(written, gpu.dialect.max_cards)
    _settle_by_position(gpu, gpu.entries)


def _cards_without_list(share: GpuShare) -> int:
    """Return how many cards k × 100 % takes whole, else 1."""
    core = share.core_percent or 0
    return core // WHOLE_CARD_PERCENT if core and core % WHOLE_CARD_PERCENT == 0 else 1


def _entries(written: object, most: int) -> list[int | None]:
    if not isinstance(written, str):
        return [None]
    return [0 if entry == "0" else card_count(entry, most) for entry in written.split(",")]


def _settle_by_position(gpu: GpuPod, entries: list[int | None]) -> None:
    cards = _cards_by_index(gpu, entries)
    if cards is None:
        return
    if len(entries) < len(gpu.pod.containers) and gpu.stage in (Stage.MUTATE, Stage.MANIFEST):
        gpu.repaired = ",".join(str(cards.get(index, 0)) for index in range(len(gpu.pod.containers)))
    for index, share in _by_position(gpu):
        settle_share(gpu, share, cards.get(index) or None)


def _cards_by_index(gpu: GpuPod, entries: list[int | None]) -> dict[int, int | None] | None:
    """Return the cards of each container, None where the list leaves open which entry is whose."""
    if len(entries) == len(gpu.pod.containers):
        return dict(enumerate(entries))
    counts = [entry for entry in entries if entry != 0]
    if None in counts or len(counts) != len(gpu.shares):
        return None
    known = granted_cards(gpu)
    if known is not None and sorted(known.values()) == sorted(entry or 0 for entry in counts):
        return {index: known[share.name] for index, share in _by_position(gpu) if share.name in known}
    return {index: count for (index, _), count in zip(_by_position(gpu), counts, strict=True)}


def _by_position(gpu: GpuPod) -> list[tuple[int, GpuShare]]:
    positions = {where: index for index, (where, _) in enumerate(gpu.pod.containers)}
    return [(positions[share.ask.where], share) for share in gpu.shares]


def _write(draft: Draft) -> None:
    listed = any(portion.cards > 1 and not portion.whole for portion in draft.portions)
    for portion in draft.portions:
        _write_one(draft, portion, listed=listed)
    if listed:
        dialect, cards = draft.dialect, {portion.where: portion.cards for portion in draft.portions}
        draft.annotations[dialect.count_key] = ",".join(str(cards.get(where, 0)) for where, _ in draft.containers)
        draft.annotations[dialect.compute_policy_key or ""] = dialect.multi_card_compute_policy or ""


def _write_one(draft: Draft, portion: Portion, *, listed: bool) -> None:
    dialect, cards = draft.dialect, portion.cards
    core = WHOLE_CARD_PERCENT if portion.whole else draft.core(portion)
    if core == WHOLE_CARD_PERCENT:
        draft.takes_whole_cards(portion)
        draft.give(portion, {dialect.resources["core"]: core * cards}, WHOLE)
    elif core is None:
        draft.remark("impossible", "memory without compute; mGPU has no shares of memory alone", portion)
    else:
        memory = draft.memory(portion, dialect.memory_min_multi_mib if listed else None)
        amounts = {dialect.resources["memory"]: draft.units((memory or 0) * cards), dialect.resources["core"]: core * cards}
        draft.give(portion, amounts, Grant(memory, None, core))


DIALECT = Dialect(
    id="volcengine",
    title="Volcengine VKE mGPU",
    page=__doc__,
    resources={"memory": "vke.volcengine.com/mgpu-memory", "core": "vke.volcengine.com/mgpu-core"},
    families=("vke.volcengine.com/mgpu-",),
    count_key="vke.volcengine.com/container-multiple-gpu",
    count_place="annotations",
    count_is_list=True,
    compute_policy_key="vke.volcengine.com/mgpu-compute-policy",
    compute_policies=("fixed-share", "guaranteed-burst-share", "native-burst-share"),
    multi_card_compute_policy="native-burst-share",
    reserved_keys=("vke.volcengine.com/assumed", "vke.volcengine.com/gpu-index-container-*"),
    compute_required=True,
    whole_cards_leave_memory_out=True,
    isolation={
        "memory": "isolated",
        "compute": "isolated, a ceiling",
        "guaranteed-burst-share": "isolated as a floor, idle time may be used beyond it",
        "native-burst-share": "scheduled only, containers on a card compete at run time",
    },
    read=_read,
    write=_write,
    accepted_schedulers=("volcano",),
    memory_min_mib=256,
    memory_min_multi_mib=1024,
)
