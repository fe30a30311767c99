"""What a pod shares must not change once it has a node."""

from collections.abc import Iterator
from typing import Any

from webhook.core.finding import ABSENT, FORBIDDEN, Complaint, quoted
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.share import GpuPod, GpuShare, Sourced


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    old = gpu.old
    if old is None or old.pod.spec.get("nodeName") in (None, "") or not old.shares:
        return
    yield from _pod_keys(gpu, old)
    before = {share.name: share for share in old.shares}
    for share in gpu.shares:
        yield from _amounts(gpu, share, before.get(share.name))


def _pod_keys(gpu: GpuPod, old: GpuPod) -> Iterator[Complaint]:
    for key, place in gpu.dialect.pod_keys.items():
        now, then = gpu.pod.keys_in(place).get(key, ABSENT), old.pod.keys_in(place).get(key, ABSENT)
        if now != then and not (key == gpu.dialect.count_key and _same_cards(gpu, old)):
            yield _complaint(("metadata", place, key), now, then)


def _same_cards(gpu: GpuPod, old: GpuPod) -> bool:
    """Say whether both counts give every container, by name, the same cards."""
    cards = {share.name: share.cards for share in gpu.shares}
    return None not in cards.values() and cards == {share.name: share.cards for share in old.shares}


def _amounts(gpu: GpuPod, share: GpuShare, before: GpuShare | None) -> Iterator[Complaint]:
    for role, key in gpu.dialect.resources.items():
        now, then = share.amounts.get(role), before.amounts.get(role) if before else None
        if _same_amount(now, then):
            continue
        where = now.where if now else (*share.ask.where, "resources", "limits", key)
        complaint = _complaint(where, now.written if now else ABSENT, then.written if then else ABSENT)
        complaint.container = share.name
        yield complaint


def _same_amount(now: Sourced | None, then: Sourced | None) -> bool:
    if now is None or then is None:
        return now is then
    return now.value == then.value and (now.value is not None or now.written == then.written)


def _shown(written: Any) -> str:
    return "nothing" if written is ABSENT else quoted(written)


def _complaint(where: tuple[str | int, ...], now: Any, then: Any) -> Complaint:
    message = f"{_shown(then)} must not become {_shown(now)}: the pod has its cards since it was given a node; {where[-1]} must stay"
    hint = f"{'leave it out' if then is ABSENT else f'keep {quoted(then)}'}, or delete the pod and create it anew"
    return Complaint(where, now, message, hint, FORBIDDEN)


CHECK = Check(id="frozen-share", page=__doc__, run=_run, needs=Need.OLD)
