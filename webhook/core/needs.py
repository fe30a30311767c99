"""What a check needs to have anything to look at, so that most checks cost a pod nothing."""

from enum import IntFlag, auto

from webhook.core.arithmetic import divides
from webhook.core.pod import same
from webhook.core.share import GpuPod, GpuShare


class Need(IntFlag):
    """Facts about a pod; a check runs only where all that it needs are there.

    MARKED: a container holds a key of the dialect. UNFIT: some share or count is not plainly right.
    REQUESTS: a request differs from its limit in the text. INIT: an init container asks. ODD_KEYS:
    near-miss or foreign keys. WHOLE_CARDS: a whole-card key. OTHERS: a second dialect. CREATING: the
    object is new. OLD: the pod before an UPDATE is known.
    """

    NOTHING = 0
    MARKED = auto()
    UNFIT = auto()
    REQUESTS = auto()
    INIT = auto()
    ODD_KEYS = auto()
    WHOLE_CARDS = auto()
    OTHERS = auto()
    CREATING = auto()
    OLD = auto()


# As plain integers: an operation on flags costs as much as a whole check.
_MARKED, _UNFIT, _REQUESTS, _INIT = int(Need.MARKED), int(Need.UNFIT), int(Need.REQUESTS), int(Need.INIT)
_ODD_KEYS, _WHOLE_CARDS, _OTHERS = int(Need.ODD_KEYS), int(Need.WHOLE_CARDS), int(Need.OTHERS)
_CREATING, _OLD = int(Need.CREATING), int(Need.OLD)


def facts_of(gpu: GpuPod) -> int:
    """Return the facts about a pod as the integer value of a `Need`."""
    if not gpu.marked:
        return 0
    survey = gpu.survey
    facts = _MARKED if _is_fit(gpu) else _MARKED | _UNFIT
    if any(share.ask.requests and not same(share.ask.requests, share.ask.limits) for share in gpu.shares):
        facts |= _REQUESTS
    if survey.init_asks:
        facts |= _INIT
    if survey.unknown or survey.foreign or survey.near:
        facts |= _ODD_KEYS
    if survey.whole_cards:
        facts |= _WHOLE_CARDS
    if gpu.others:
        facts |= _OTHERS
    if gpu.creating:
        facts |= _CREATING
    return facts | _OLD if gpu.old is not None else facts


def _is_fit(gpu: GpuPod) -> bool:
    """Say whether shares and counts are plainly right, so that no rule about them can complain."""
    return _is_counted(gpu) and all(_is_right(gpu, share) for share in gpu.shares)


def _is_counted(gpu: GpuPod) -> bool:
    shares, entries = gpu.shares, gpu.entries
    if entries is not None and (
        len(entries) != len(gpu.pod.containers) or None in entries or len(shares) != len(entries) - entries.count(0)
    ):
        return False
    if not shares:
        return gpu.count is None
    return not gpu.dialect.containers_share_cards or len(shares) == 1


def _is_right(gpu: GpuPod, share: GpuShare) -> bool:
    dialect = gpu.dialect
    if not share.cards or share.memory_mib is None or (share.whole and dialect.whole_cards_leave_memory_out):
        return False
    compute = share.core_percent is not None
    return (compute or not dialect.compute_required) and len(share.amounts) == 1 + compute and divides(gpu, share, share.cards)
