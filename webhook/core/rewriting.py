"""The patch that turns a pod into another dialect: resources, labels, annotations, scheduler name."""

from collections.abc import Iterator, Mapping
from typing import Any

from webhook.core.fieldpath import pointer
from webhook.core.limits import is_exact, limits_text
from webhook.core.patch import UNSET_SCHEDULERS, PatchOp, environment, scheduler_operation
from webhook.core.plugin import Dialect
from webhook.core.pod import mapping
from webhook.core.share import GpuPod, GpuShare
from webhook.core.translation import drafted
from webhook.core.writing import Draft

_OPERATIONS_ON = ("labels", "annotations")


def plan_rewrite(gpu: GpuPod, target: Dialect) -> list[PatchOp]:
    """Return the operations that write the pod in the target; none where that would lose what was asked for."""
    if not (is_exact(gpu) and gpu.pod.takes_annotations):
        return []
    draft = drafted(gpu, target)
    rules = gpu.rules
    if not (draft.is_possible if rules.target_allow_loss else draft.is_lossless):
        return []
    written = as_read(gpu, draft)
    ours = {rules.limits_key: limits_text(written), rules.source_key: gpu.dialect.id}
    operations = rewrite(gpu, draft, ours, keep_source=rules.target_keep_source)
    if rules.inject_env:
        operations += [operation for share in written.shares for operation in environment(written, share)]
    return operations


def as_read(gpu: GpuPod, draft: Draft) -> GpuPod:
    """Return the pod as the target will read what was drafted."""
    written = GpuPod(gpu.pod, draft.dialect, gpu.survey, gpu.rules, gpu.reserved)
    for share, granted in zip(gpu.shares, draft.granted, strict=True):
        cards = granted.cards
        written.shares.append(
            GpuShare(
                share.ask,
                {},
                cards,
                None if granted.memory_mib is None else granted.memory_mib * cards,
                None if granted.core_percent is None else granted.core_percent * cards,
                granted.whole,
                None if granted.memory_percent is None else granted.memory_percent * cards,
            )
        )
    return written


def rewrite(gpu: GpuPod, draft: Draft, annotations: Mapping[str, str], *, keep_source: bool) -> list[PatchOp]:
    """Return the operations that write a draft; `annotations` are written beside the target's own."""
    operations = list(_scheduler(gpu, draft.dialect))
    for share in gpu.shares:
        operations += _resources(gpu, share, draft)
    wanted = {"labels": draft.labels, "annotations": {**draft.annotations, **annotations}}
    return operations + _metadata(gpu, wanted, keep_source=keep_source)


def _scheduler(gpu: GpuPod, target: Dialect) -> Iterator[PatchOp]:
    name = gpu.pod.spec.get("schedulerName")
    wanted, source = target.scheduler_name, gpu.dialect
    if name == wanted or name in target.accepted_schedulers or (name in UNSET_SCHEDULERS and wanted in UNSET_SCHEDULERS):
        return
    ours = name in UNSET_SCHEDULERS or name == source.scheduler_name or name in source.accepted_schedulers
    if ours or gpu.rules.foreign_scheduler == "override":
        yield scheduler_operation(gpu, wanted)


def _resources(gpu: GpuPod, share: GpuShare, draft: Draft) -> Iterator[PatchOp]:
    """Yield what takes the source's keys out of limits and requests, and puts the same amounts into both."""
    where = share.ask.where
    amounts, source = draft.amounts.get(where, {}), gpu.dialect.source_keys
    path = pointer((*gpu.pod.root, *where, "resources"))
    present = share.ask.container.get("resources")
    if not isinstance(present, dict):
        if amounts:
            yield PatchOp("add", path, {"limits": amounts, "requests": amounts})
        return
    for bag in ("limits", "requests"):
        old = mapping(present.get(bag))
        new = {key: value for key, value in old.items() if key not in source} | amounts
        if new:
            yield PatchOp("replace" if bag in present else "add", f"{path}/{bag}", new)
        elif bag in present:
            yield PatchOp("remove", f"{path}/{bag}")


def _metadata(gpu: GpuPod, wanted: Mapping[str, Mapping[str, str]], *, keep_source: bool) -> list[PatchOp]:
    pod = gpu.pod
    path = pointer((*pod.root, "metadata"))
    if not pod.metadata:
        return [PatchOp("add", path, {place: dict(texts) for place, texts in wanted.items() if texts})]
    operations: list[PatchOp] = []
    for place in _OPERATIONS_ON:
        unwanted = () if keep_source else _source_keys(gpu, place)
        operations += _texts(f"{path}/{place}", pod.metadata.get(place), wanted[place], unwanted)
    return operations


def _source_keys(gpu: GpuPod, place: str) -> list[str]:
    """Return the source's keys that stand in the pod's labels or annotations; those by which its workload selects it stay."""
    present = gpu.pod.keys_in(place)
    found = [key for key, home in gpu.dialect.text_keys if home == place and key in present]
    if found and gpu.pod.is_template:
        selector = mapping(mapping(gpu.pod.owner.get("spec")).get("selector"))
        selected = {**selector, **mapping(selector.get("matchLabels"))}
        return [key for key in found if key not in selected]
    return found


def _texts(path: str, present: Any, wanted: Mapping[str, str], unwanted: list[str] | tuple[()]) -> Iterator[PatchOp]:
    if not isinstance(present, dict):
        if wanted:
            yield PatchOp("add", path, dict(wanted))
        return
    unwanted = [key for key in unwanted if key not in wanted]
    if unwanted and not wanted and len(unwanted) == len(present):
        yield PatchOp("remove", path)
        return
    for key in unwanted:
        yield PatchOp("remove", f"{path}{pointer((key,))}")
    for key, text in wanted.items():
        if present.get(key) != text:
            yield PatchOp("replace" if key in present else "add", f"{path}{pointer((key,))}", text)
