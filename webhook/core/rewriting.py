"""The patch that turns a pod into another dialect: resources, labels, annotations, scheduler name."""

from collections.abc import Collection, Mapping
from typing import Any

from webhook.core.fieldpath import pointer
from webhook.core.limits import granted_text, is_exact
from webhook.core.patch import UNSET_SCHEDULERS, PatchOp, environment, plan, scheduler_operation
from webhook.core.plugin import Dialect, Place
from webhook.core.pod import EMPTY, mapping, same
from webhook.core.portions import Amount
from webhook.core.share import GpuPod, GpuShare
from webhook.core.translation import drafted
from webhook.core.writing import Draft


def planned(gpu: GpuPod) -> list[PatchOp]:
    """Return the operations that are to be done on a pod: its own dialect's, or those that write it in the target."""
    target = gpu.rules.target
    return plan(gpu) if target is None or target.id == gpu.dialect.id else plan_rewrite(gpu, target)


def plan_rewrite(gpu: GpuPod, target: Dialect) -> list[PatchOp]:
    """Return the operations that write the pod in the target; none where that would lose what was asked for."""
    if not (is_exact(gpu) and gpu.pod.takes_annotations):
        return []
    draft = drafted(gpu, target)
    rules = gpu.rules
    if draft.remarks and not (draft.is_possible if rules.target_allow_loss else draft.is_lossless):
        return []
    ours = {rules.limits_key: granted_text(draft), rules.source_key: gpu.dialect.id}
    operations = rewrite(gpu, draft, ours, keep_source=rules.target_keep_source)
    if rules.inject_env:
        written = _as_read(gpu, draft)
        operations += [operation for share in written.shares for operation in environment(written, share)]
    return operations


def _as_read(gpu: GpuPod, draft: Draft) -> GpuPod:
    """Return the pod as the target will read what was drafted."""
    written = GpuPod(gpu.pod, draft.dialect, gpu.survey, gpu.rules, gpu.reserved)
    for share, (portion, granted) in zip(gpu.shares, draft.granted, strict=True):
        cards = portion.cards
        read = GpuShare(share.ask, {}, cards, whole=granted.whole)
        read.memory_mib = None if granted.memory_mib is None else granted.memory_mib * cards
        read.core_percent = None if granted.core_percent is None else granted.core_percent * cards
        written.shares.append(read)
    return written


def rewrite(gpu: GpuPod, draft: Draft, annotations: Mapping[str, str], *, keep_source: bool) -> list[PatchOp]:
    """Return the operations that write a draft; `annotations` are written beside the target's own."""
    root = pointer(gpu.pod.root)
    scheduler = _scheduler(gpu, draft.dialect)
    operations = [] if scheduler is None else [scheduler_operation(gpu, scheduler)]
    for share in gpu.shares:
        operations += _resources(gpu, share, draft, root)
    if draft.annotations:
        annotations = {**draft.annotations, **annotations}
    if not gpu.pod.metadata:
        found = {"labels": draft.labels, "annotations": annotations}
        return [*operations, PatchOp("add", f"{root}/metadata", {place: wanted for place, wanted in found.items() if wanted})]
    texts: tuple[tuple[Place, Mapping[str, str]], ...] = (("labels", draft.labels), ("annotations", annotations))
    for place, wanted in texts:
        going = () if keep_source else gpu.dialect.text_keys[place]
        if wanted or going:
            operations += _texts(gpu, f"{root}/metadata/{place}", wanted, going)
    return operations


def _scheduler(gpu: GpuPod, target: Dialect) -> str | None:
    """Return the scheduler name that must be written, None where the present one stays."""
    name = gpu.pod.spec.get("schedulerName")
    wanted, source = target.scheduler_name, gpu.dialect
    if name == wanted or name in target.accepted_schedulers:
        return None
    if name in UNSET_SCHEDULERS:
        return None if wanted in UNSET_SCHEDULERS else wanted
    ours = name == source.scheduler_name or name in source.accepted_schedulers
    return wanted if ours or gpu.rules.foreign_scheduler == "override" else None


def _resources(gpu: GpuPod, share: GpuShare, draft: Draft, root: str) -> list[PatchOp]:
    """Return what takes the source's keys out of limits and requests, and puts the same amounts into both."""
    # Nothing in the path of a container needs escaping.
    path = f"{root}/{'/'.join(map(str, share.ask.where))}/resources"
    present = share.ask.container.get("resources")
    source, amounts = gpu.dialect.source_keys, draft.amounts.get(share.ask.where)
    if not isinstance(present, dict):
        return [PatchOp("add", path, {"limits": amounts, "requests": amounts})] if amounts else []
    if not amounts:
        return _without_source(present, source, path, is_needed=bool(draft.claims))
    limits, requests = present.get("limits"), present.get("requests")
    new = _exchanged(limits, source, amounts)
    operations = [PatchOp("replace" if "limits" in present else "add", f"{path}/limits", new)]
    if not same(requests, limits):
        new = _exchanged(requests, source, amounts)
    return [*operations, PatchOp("replace" if "requests" in present else "add", f"{path}/requests", new)]


def _without_source(present: Mapping[str, Any], source: Collection[str], path: str, *, is_needed: bool) -> list[PatchOp]:
    """Return what takes the source's keys out where nothing comes in their place."""
    bags = {name: _exchanged(present[name], source, EMPTY) for name in ("limits", "requests") if name in present}
    if not (is_needed or any(bags.values()) or present.keys() - bags.keys()):
        return [PatchOp("remove", path)]
    return [PatchOp("replace", f"{path}/{name}", new) if new else PatchOp("remove", f"{path}/{name}") for name, new in bags.items()]


def _exchanged(present: Any, source: Collection[str], amounts: Mapping[str, Amount]) -> dict[str, Any]:
    if not isinstance(present, dict):
        return dict(amounts)
    new = {key: value for key, value in present.items() if key not in source}
    new.update(amounts)
    return new


def _texts(gpu: GpuPod, path: str, wanted: Mapping[str, str], going: Collection[tuple[str, str]]) -> list[PatchOp]:
    """Return what takes the source's keys out of the pod's labels or annotations and puts the target's in."""
    present = gpu.pod.metadata.get(path.rpartition("/")[2])
    if not isinstance(present, dict):
        return [PatchOp("add", path, dict(wanted))] if wanted else []
    removed = [below for key, below in going if key in present and key not in wanted]
    if removed and gpu.pod.is_template:
        removed = _unselected(gpu, removed)
    if removed and not wanted and len(removed) == len(present):
        return [PatchOp("remove", path)]
    operations = [PatchOp("remove", path + below) for below in removed]
    for key, text in wanted.items():
        if present.get(key) != text:
            operations.append(PatchOp("replace" if key in present else "add", f"{path}{pointer((key,))}", text))
    return operations


def _unselected(gpu: GpuPod, removed: list[str]) -> list[str]:
    """Return what may go of a template: the keys by which its workload selects its pods stay."""
    selector = mapping(mapping(gpu.pod.owner.get("spec")).get("selector"))
    selected = {pointer((key,)) for key in (*selector, *mapping(selector.get("matchLabels")))}
    return [below for below in removed if below not in selected]
