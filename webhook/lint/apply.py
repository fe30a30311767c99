"""Manifests with their patch applied, as `percard patch` prints them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import jsonpatch

from webhook.core.engine import Engine
from webhook.core.finding import Finding
from webhook.core.share import Stage
from webhook.core.walk import stage_of
from webhook.lint.documents import dump
from webhook.lint.inputs import Input

Spelling = Literal["yaml", "json", "jsonpatch"]


class Patched(NamedTuple):
    """One document: its data after the patch, the operations of RFC 6902 that made it, what was found, how many pods share."""

    data: Any
    operations: Sequence[Mapping[str, Any]]
    findings: tuple[Finding, ...]
    pods: int = 0


def patch(engine: Engine, item: Input) -> Patched:
    """Return a document patched, pod templates too; one with errors stays as it is."""
    data = item.document.data
    # As at /mutate, which brings a list in order that another webhook's containers have outgrown.
    stage = Stage.MUTATE if stage_of(data) is Stage.MANIFEST else Stage.LIVE
    verdict = engine.examine(data, stage=stage, patch_templates=True)
    operations = [operation.as_object for operation in verdict.patch]
    # What an alias shares would be patched in both places: written out as JSON, nothing is shared.
    patched = jsonpatch.apply_patch(json.loads(json.dumps(data)), operations) if operations else data
    return Patched(patched, operations, verdict.findings, len(verdict.pods))


def spelt(documents: Iterable[Patched], spelling: Spelling) -> str:
    """Return documents as a YAML stream, as JSON (several as a List), or as one JSON Patch a line."""
    if spelling == "yaml":
        return dump(document.data for document in documents)
    if spelling == "jsonpatch":
        return "".join(f"{json.dumps(list(document.operations), ensure_ascii=False)}\n" for document in documents)
    values = [document.data for document in documents]
    value = values[0] if len(values) == 1 else {"apiVersion": "v1", "kind": "List", "items": values}
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
