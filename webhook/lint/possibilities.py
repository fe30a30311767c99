"""What would become of the pods of a document in every dialect, as `percard convert --report` tells."""

from collections.abc import Iterator
from typing import NamedTuple

from webhook.core.engine import Engine
from webhook.core.portions import Remark
from webhook.core.share import GpuPod
from webhook.core.translation import drafted
from webhook.core.walk import stage_of
from webhook.core.writing import Draft
from webhook.lint.inputs import Input


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
        for target in engine.targets.values():
            if target.id != gpu.dialect.id:
                yield _possibility(gpu, drafted(gpu, target))


def _possibility(gpu: GpuPod, draft: Draft) -> Possibility:
    name = f"{gpu.pod.kind} {gpu.pod.name}".strip()
    found = {remark.outcome for remark in draft.remarks}
    outcome = next((text for kind, text in _OUTCOMES.items() if kind in found), "same")
    return Possibility(name, gpu.dialect.id, draft.dialect.id, outcome, tuple(draft.remarks))
