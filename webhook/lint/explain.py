"""What every container of a pod gets on each of its cards, for the files of `percard explain`."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from webhook.core.engine import Engine
from webhook.core.explanation import explained
from webhook.core.fieldpath import printable
from webhook.core.finding import Finding
from webhook.core.walk import stage_of
from webhook.lint.inputs import Input

VERSION = 1
_HEADER = ("CONTAINER", "CARDS", "MEMORY", "COMPUTE", "MEMORY/CARD", "COMPUTE/CARD")
_ABSENT = "-"


class Explained(NamedTuple):
    """The pods and templates of one document, and what was found in it."""

    pods: tuple[dict[str, Any], ...]
    findings: tuple[Finding, ...]


def explain(engine: Engine, item: Input) -> Explained:
    """Return what a document's pods get, as JSON values."""
    verdict = engine.examine(item.document.data, stage=stage_of(item.document.data))
    pods = ({"file": item.file, "document": item.number, **explained(gpu)} for gpu in verdict.pods)
    return Explained(tuple(pods), verdict.findings)


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
