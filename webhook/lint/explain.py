"""What every container of a pod gets on each of its cards."""

import json
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from webhook.core.engine import Engine
from webhook.core.fieldpath import printable
from webhook.core.finding import Finding
from webhook.core.patch import wanted_scheduler
from webhook.core.pod import mapping, text_of
from webhook.core.share import GpuPod, GpuShare
from webhook.lint.inputs import Input
from webhook.lint.run import stage_of

VERSION = 1
_DEFAULT_SCHEDULER = "default-scheduler"
_HEADER = ("CONTAINER", "CARDS", "MEMORY", "COMPUTE", "MEMORY/CARD", "COMPUTE/CARD")
_ABSENT = "-"
_OWN = "the cards are the container's own"
_UNKNOWN = "not documented by the vendor"
_UNASKED = "not asked for, containers on a card compete at run time"


class Explained(NamedTuple):
    """The pods and templates of one document, and what was found in it."""

    pods: tuple[dict[str, Any], ...]
    findings: tuple[Finding, ...]


def explain(engine: Engine, item: Input) -> Explained:
    """Return what a document's pods get, as JSON values."""
    verdict = engine.examine(item.document.data, stage=stage_of(item.document.data))
    return Explained(tuple(_pod(gpu, item) for gpu in verdict.pods), verdict.findings)


def _pod(gpu: GpuPod, item: Input) -> dict[str, Any]:
    owner = mapping(gpu.pod.owner.get("metadata"))
    return {
        "file": item.file,
        "document": item.number,
        "kind": text_of(gpu.pod.owner.get("kind")),
        "namespace": text_of(owner.get("namespace")),
        "name": text_of(owner.get("name")) or text_of(owner.get("generateName")),
        "dialect": gpu.dialect.id,
        "scheduler": wanted_scheduler(gpu) or text_of(gpu.pod.spec.get("schedulerName")) or _DEFAULT_SCHEDULER,
        "granted": gpu.sound and not gpu.others,
        "isolation": {"memory": _held(gpu, "memory"), "compute": _held(gpu, "core")},
        "containers": [_container(gpu, share) for share in gpu.shares],
    }


def _held(gpu: GpuPod, role: Literal["memory", "core"]) -> str:
    """Return what the nodes enforce of an amount, and what only counts for placing the pod."""
    if gpu.shares and all(share.whole for share in gpu.shares):
        return _OWN
    if role == "memory":
        return gpu.dialect.isolation.get("memory", _UNKNOWN)
    if not any(share.core_percent for share in gpu.shares):
        return _UNASKED
    policy = text_of(gpu.pod.annotations.get(gpu.dialect.compute_policy_key or ""))
    return gpu.dialect.isolation.get(policy) or gpu.dialect.isolation.get("compute", _UNKNOWN)


def _container(gpu: GpuPod, share: GpuShare) -> dict[str, Any]:
    memory = None if share.whole else share.memory_mib
    each = {"memoryMiB": _figure(share.per_card(memory)), "corePercent": _figure(share.per_card(share.core_percent))}
    if share.memory_percent is not None and share.cards:
        # How many MiB that is depends on the card, which no manifest tells.
        each["memoryPercent"] = _figure(Fraction(share.memory_percent, share.cards))
    return {
        "name": share.name,
        "cards": share.cards,
        "totalMemoryMiB": memory,
        "totalCorePercent": share.core_percent,
        "perCard": each,
        "whole": share.whole,
        "memoryAtLeast": memory is not None and gpu.dialect.memory_is_lower_bound,
    }


def _figure(exact: Fraction | None) -> int | str | None:
    """Return a whole figure as a number, another one as a fraction in text: JSON has no exact ones."""
    if exact is None:
        return None
    return exact.numerator if exact.denominator == 1 else str(exact)


def as_json(pods: Iterable[dict[str, Any]]) -> str:
    """Return pods as one JSON object, version 1."""
    return json.dumps({"version": VERSION, "pods": list(pods)}, ensure_ascii=False, indent=2) + "\n"


def as_text(pods: Iterable[dict[str, Any]]) -> str:
    """Return pods as a heading and a table each."""
    return "\n".join(line for pod in pods for line in _lines(pod))


def _lines(pod: dict[str, Any]) -> Iterator[str]:
    name = "/".join(filter(None, (pod["namespace"], pod["name"])))
    yield printable(f"{pod['kind']} {name} ({pod['dialect']}, scheduler {pod['scheduler']})")
    if not pod["granted"]:
        yield "  nothing is granted while there are errors; what is asked for:"
    rows = [_HEADER, *(_row(container) for container in pod["containers"])]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
    yield from (f"  {name}: {held}" for name, held in pod["isolation"].items())
    yield ""


def _row(container: dict[str, Any]) -> tuple[str, ...]:
    least = "≥ " if container["memoryAtLeast"] else ""
    each = container["perCard"]
    name = _ABSENT if container["name"] is None else printable(container["name"])
    memory = "whole card" if container["whole"] else _cell(each["memoryMiB"], " MiB", least)
    if "memoryPercent" in each:
        memory = f"{each['memoryPercent']} % of a card"
    return (
        name,
        _cell(container["cards"]),
        _cell(container["totalMemoryMiB"], " MiB", least),
        _cell(container["totalCorePercent"], " %"),
        memory,
        _cell(each["corePercent"], " %"),
    )


def _cell(figure: int | str | None, unit: str = "", before: str = "") -> str:
    return _ABSENT if figure is None else f"{before}{figure}{unit}"
