"""Manifests translated into another dialect, as `percard convert` prints them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from webhook.core.claims import claim_operations, claim_template, template_name
from webhook.core.engine import Engine
from webhook.core.finding import Finding
from webhook.core.limits import divides_evenly, granted_text
from webhook.core.plugin import Dialect
from webhook.core.pod import Where
from webhook.core.portions import Remark
from webhook.core.rewriting import rewrite
from webhook.core.share import GpuPod
from webhook.core.translation import drafted
from webhook.core.writing import Draft
from webhook.lint.apply import applied
from webhook.lint.inputs import Input
from webhook.lint.run import stage_of


class Told(NamedTuple):
    """A remark on a translation, and the path of what it is about."""

    where: Where
    remark: Remark


@dataclass(slots=True)
class Converted:
    """One document: its data after the translation (the same where there was none), and objects that belong beside it.

    `findings` are the source's, or where a translation would break a rule of the target those of what it
    would have been. `carried` is False where something could not be carried over; the data is then unchanged.
    """

    data: Any
    beside: list[dict[str, Any]] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    findings: tuple[Finding, ...] = ()
    carried: bool = True


class Converter:
    """Translates documents into one dialect; `engine` must know all dialects."""

    def __init__(self, engine: Engine, target: Dialect, *, allow_loss: bool = False) -> None:
        """Take the engine, the target, and whether what the target cannot say may be left out."""
        self._engine, self._target, self._allow_loss = engine, target, allow_loss

    def convert(self, item: Input) -> Converted:
        """Return a document translated; one with errors stays as it is."""
        data = item.document.data
        verdict = self._engine.examine(data, stage=stage_of(data))
        converted = Converted(data, findings=verdict.findings)
        pods = [gpu for gpu in verdict.pods if gpu.dialect.id != self._target.id]
        if verdict.errors or not pods:
            converted.carried = not verdict.errors
            return converted
        drafts = [(gpu, drafted(gpu, self._target)) for gpu in pods]
        converted.told = [Told(_place(gpu, remark), remark) for gpu, draft in drafts for remark in draft.remarks]
        if all(self._may_use(gpu, draft) for gpu, draft in drafts):
            self._write(converted, drafts)
        else:
            converted.carried = False
        return converted

    def _may_use(self, gpu: GpuPod, draft: Draft) -> bool:
        even = all(map(divides_evenly, gpu.shares))
        return even and (draft.is_possible if self._allow_loss else draft.is_lossless)

    def _write(self, converted: Converted, drafts: Sequence[tuple[GpuPod, Draft]]) -> None:
        operations = []
        for number, (gpu, draft) in enumerate(drafts):
            operations += rewrite(gpu, draft, _annotations(gpu, draft), keep_source=False)
            if draft.claims:
                name = template_name(gpu, number)
                operations += claim_operations(gpu, draft, name)
                converted.beside.append(claim_template(gpu, draft, name))
        data = applied(converted.data, operations)
        verdict = self._engine.examine(data, stage=stage_of(data))
        if verdict.errors:
            converted.findings, converted.beside, converted.carried = verdict.findings, [], False
        else:
            converted.data = data


def _annotations(gpu: GpuPod, draft: Draft) -> dict[str, str]:
    """Return percard's own annotation where the manifest has one: it must say what the pod asks for now."""
    key = gpu.rules.limits_key
    return {key: granted_text(draft)} if key in gpu.pod.annotations else {}


def _place(gpu: GpuPod, remark: Remark) -> Where:
    """Return the path of the amounts that a remark is about, of the pod where it is about all."""
    for share in gpu.shares:
        if share.name == remark.container or len(gpu.shares) == 1:
            amount = next(iter(share.amounts.values()), None)
            if amount is not None:
                return (*gpu.pod.root, *amount.where)
    return gpu.pod.root


class Possibility(NamedTuple):
    """What would become of one pod in one dialect."""

    pod: str
    source: str
    target: str
    outcome: str
    remarks: tuple[Remark, ...]


# The worst of the remarks decides; without any the pod is the same.
_OUTCOMES = {"impossible": "no", "lost": "loses", "rounded": "rounded", "assumed": "assumes"}


def possibilities(engine: Engine, item: Input) -> Iterator[Possibility]:
    """Yield for every sound pod of a document what each dialect that can be written would make of it."""
    verdict = engine.examine(item.document.data, stage=stage_of(item.document.data))
    for gpu in () if verdict.errors else verdict.pods:
        for target in engine.dialects:
            if target.write is not None and target.id != gpu.dialect.id:
                yield _possibility(gpu, drafted(gpu, target))


def _possibility(gpu: GpuPod, draft: Draft) -> Possibility:
    metadata = gpu.pod.owner.get("metadata") or {}
    name = f"{gpu.pod.owner.get('kind')} {metadata.get('name') or metadata.get('generateName') or ''}".strip()
    found = {remark.outcome for remark in draft.remarks}
    outcome = next((text for kind, text in _OUTCOMES.items() if kind in found), "same")
    return Possibility(name, gpu.dialect.id, draft.dialect.id, outcome, tuple(draft.remarks))
