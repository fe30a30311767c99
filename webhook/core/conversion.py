"""Conversion: an object translated into another dialect as a whole, or left as it is and told why."""

from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from webhook.core.claims import claim_operations, claim_template, template_name
from webhook.core.engine import Engine
from webhook.core.finding import Finding
from webhook.core.limits import divides_evenly, granted_text
from webhook.core.patch import PatchOp
from webhook.core.plugin import Dialect
from webhook.core.pod import Where
from webhook.core.portions import Remark
from webhook.core.rewriting import rewrite
from webhook.core.share import GpuPod, Stage
from webhook.core.translation import drafted
from webhook.core.walk import stage_of
from webhook.core.writing import Draft


class Told(NamedTuple):
    """A remark on a translation, and the path of what it is about."""

    where: Where
    remark: Remark


@dataclass(slots=True)
class Conversion:
    """An object after its translation (the same where there was none), and objects that belong beside it.

    `findings` are the source's, or where a translation would break a rule of the target those of what it
    would have been. `carried` is False where something could not be carried over; `data` is then unchanged.
    """

    data: Any
    beside: list[dict[str, Any]] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    findings: tuple[Finding, ...] = ()
    carried: bool = True


class Converter:
    """Translates objects into one dialect; `engine` must know all dialects."""

    def __init__(self, engine: Engine, target: Dialect, *, allow_loss: bool = False) -> None:
        """Take the engine, the target, and whether what the target cannot say may be left out."""
        self._engine, self._target, self._allow_loss = engine, target, allow_loss

    def convert(self, data: Any) -> Conversion:
        """Return an object translated; one with errors stays as it is."""
        stage = stage_of(data)
        verdict = self._engine.examine(data, stage=stage)
        converted = Conversion(data, findings=verdict.findings)
        pods = [gpu for gpu in verdict.pods if gpu.dialect.id != self._target.id]
        if verdict.errors or not pods:
            converted.carried = not verdict.errors
            return converted
        drafts = [(gpu, drafted(gpu, self._target)) for gpu in pods]
        converted.told = [Told(_place(gpu, remark), remark) for gpu, draft in drafts for remark in draft.remarks]
        if all(self._may_use(gpu, draft) for gpu, draft in drafts):
            self._write(converted, drafts, stage)
        else:
            converted.carried = False
        return converted

    def _may_use(self, gpu: GpuPod, draft: Draft) -> bool:
        even = all(map(divides_evenly, gpu.shares))
        return even and (draft.is_possible if self._allow_loss else draft.is_lossless)

    def _write(self, converted: Conversion, drafts: Sequence[tuple[GpuPod, Draft]], stage: Stage) -> None:
        operations = []
        for number, (gpu, draft) in enumerate(drafts):
            operations += rewrite(gpu, draft, _annotations(gpu, draft), keep_source=False)
            if draft.claims:
                name = template_name(gpu, number)
                operations += claim_operations(gpu, draft, name)
                converted.beside.append(claim_template(gpu, draft, name))
        data = applied(converted.data, operations)
        verdict = self._engine.examine(data, stage=stage)
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


def applied(data: Any, operations: Iterable[PatchOp]) -> Any:
    """Return a copy of an object with operations of percard's own applied; nothing in the copy is shared, whatever aliases the text had."""
    changed = _unshared(data)
    for operation in operations:
        *above, last = (part.replace("~1", "/").replace("~0", "~") for part in operation.path[1:].split("/"))
        parent = changed
        for part in above:
            # An index that percard itself wrote.
            parent = parent[int(part)] if isinstance(parent, list) else parent[part]
        if isinstance(parent, list):
            parent.append(deepcopy(operation.value))
        elif operation.op == "remove":
            del parent[last]
        else:
            parent[last] = deepcopy(operation.value)
    return changed


def _unshared(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _unshared(value) for key, value in data.items()}
    return [_unshared(value) for value in data] if isinstance(data, list) else data
