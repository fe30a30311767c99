"""The per-card limits of a pod: as figures, and as the annotation that /mutate writes."""

import json
from fractions import Fraction
from json.encoder import encode_basestring_ascii
from typing import Any

from webhook.core.pod import mapping
from webhook.core.portions import Grant
from webhook.core.share import GpuPod, GpuShare
from webhook.core.writing import Draft


def is_exact(gpu: GpuPod) -> bool:
    """Say whether every share is readable and divides into whole figures per card, by container name.

    Nothing may be patched otherwise, whatever the severities of the checks are.
    """
    names = [share.name for share in gpu.shares]
    return bool(names) and None not in names and len(set(names)) == len(names) and all(map(divides_evenly, gpu.shares))


def divides_evenly(share: GpuShare) -> bool:
    """Say whether a share is readable and divides into whole figures per card."""
    cards = share.cards
    if not cards or any(amount.value is None for amount in share.amounts.values()):
        return False
    return (share.memory_mib or 0) % cards == 0 and (share.core_percent or 0) % cards == 0


def limits_text(gpu: GpuPod) -> str:
    """Return the annotation's value: one JSON object, keys sorted, no blanks (needs `is_exact`)."""
    ordered = sorted(gpu.shares, key=lambda share: share.name or "")
    containers = [f"{encode_basestring_ascii(share.name or '')}:{_figures_text(gpu, share)}" for share in ordered]
    return f'{{"containers":{{{",".join(containers)}}},"dialect":"{gpu.dialect.id}"}}'


def granted_text(draft: Draft) -> str:
    """Return the annotation's value for a pod that is written as drafted."""
    ordered = sorted(draft.granted, key=lambda pair: pair[0].name or "") if len(draft.granted) > 1 else draft.granted
    containers = [f"{encode_basestring_ascii(portion.name or '')}:{_granted_text(portion.cards, granted)}" for portion, granted in ordered]
    return f'{{"containers":{{{",".join(containers)}}},"dialect":"{draft.dialect.id}"}}'


def _granted_text(cards: int, granted: Grant) -> str:
    core = "" if granted.core_percent is None else f',"corePercent":{granted.core_percent}'
    if granted.whole:
        return f'{{"cards":{cards}{core},"whole":true}}'
    if granted.memory_mib is None:
        percent = "" if granted.memory_percent is None else f',"memoryPercent":{json.dumps(_exact(granted.memory_percent, 1))}'
        return f'{{"cards":{cards}{core}{percent}}}'
    at_least = ',"memoryAtLeast":true' if granted.at_least else ""
    return f'{{"cards":{cards}{core}{at_least},"memoryMiB":{granted.memory_mib}}}'


def _figures_text(gpu: GpuPod, share: GpuShare) -> str:
    """Return `figures` as JSON; written out because it is the hot path's, keys in their order."""
    cards = share.cards or 1
    core = "" if share.core_percent is None else f',"corePercent":{share.core_percent // cards}'
    if share.whole:
        return f'{{"cards":{cards}{core},"whole":true}}'
    if share.memory_mib is None:
        percent = "" if share.memory_percent is None else f',"memoryPercent":{json.dumps(_exact(share.memory_percent, cards))}'
        return f'{{"cards":{cards}{core}{percent}}}'
    at_least = ',"memoryAtLeast":true' if gpu.dialect.memory_is_lower_bound else ""
    return f'{{"cards":{cards}{core}{at_least},"memoryMiB":{share.memory_mib // cards}}}'


def figures(gpu: GpuPod, share: GpuShare) -> dict[str, Any]:
    """Return what each card gives: cards, corePercent, memoryMiB, memoryAtLeast, memoryPercent, whole, where they apply."""
    cards = share.cards or 1
    found: dict[str, Any] = {"cards": cards}
    if share.core_percent is not None:
        found["corePercent"] = share.core_percent // cards
    if share.whole:
        found["whole"] = True
    elif share.memory_mib is not None:
        found["memoryMiB"] = share.memory_mib // cards
        if gpu.dialect.memory_is_lower_bound:
            found["memoryAtLeast"] = True
    elif share.memory_percent is not None:
        found["memoryPercent"] = _exact(share.memory_percent, cards)
    return found


def _exact(total: Fraction | int, cards: int) -> int | str:
    """Return the part of each card as a number where it is whole, else as a fraction in text: JSON has no exact ones."""
    each = Fraction(total, cards)
    return each.numerator if each.denominator == 1 else str(each)


def written_limits(gpu: GpuPod) -> Any:
    """Return the limits annotation as parsed, `None` where there is none or it is no JSON."""
    text = gpu.pod.annotations.get(gpu.rules.limits_key)
    try:
        return json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None


def granted_cards(gpu: GpuPod) -> dict[str, int] | None:
    """Return the cards by container name that an earlier pass wrote, where it names who asks now.

    The annotation may be forged: the caller must trust it only where it agrees with the list.
    """
    limits = mapping(written_limits(gpu))
    granted = {name: mapping(found).get("cards") for name, found in mapping(limits.get("containers")).items()}
    if granted.keys() != {share.name for share in gpu.shares}:
        return None
    cards = {name: count for name, count in granted.items() if type(count) is int}
    return cards if len(cards) == len(granted) == len(gpu.shares) else None
