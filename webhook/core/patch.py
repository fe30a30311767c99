"""The patch of a pod: scheduler name, per-card limits, the repaired list, environment variables."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from webhook.core.fieldpath import pointer
from webhook.core.limits import figures, is_exact, limits_text
from webhook.core.pod import PodView
from webhook.core.share import GpuPod, GpuShare

DEFAULT_SCHEDULER = "default-scheduler"
UNSET_NAMES = ("", DEFAULT_SCHEDULER)
UNSET_SCHEDULERS = (None, *UNSET_NAMES)

# The variables that `inject_env` writes, and the figure behind each.
ENVIRONMENT = {"GPU_CARDS": "cards", "GPU_MEMORY_MIB_PER_CARD": "memoryMiB", "GPU_CORE_PERCENT_PER_CARD": "corePercent"}


class PatchOp(NamedTuple):
    """One operation of an RFC 6902 JSON Patch; `path` is a JSON Pointer."""

    op: Literal["add", "replace", "remove"]
    path: str
    value: Any = None

    @property
    def as_object(self) -> dict[str, Any]:
        """Return the operation as it stands in JSON."""
        op, path, value = self
        return {"op": op, "path": path} if op == "remove" else {"op": op, "path": path, "value": value}


def plan(gpu: GpuPod) -> list[PatchOp]:
    """Return the operations that are still to be done, built by hand; none where a share does not divide."""
    if not (is_exact(gpu) and gpu.pod.takes_annotations):
        return []
    name = wanted_scheduler(gpu)
    operations = [] if name is None else [scheduler_operation(gpu, name)]
    wanted = {gpu.rules.limits_key: limits_text(gpu)}
    if gpu.repaired is not None:
        wanted[gpu.dialect.count_key] = gpu.repaired
    operations += _annotations(gpu.pod, wanted)
    if gpu.rules.inject_env:
        for share in gpu.shares:
            operations += environment(gpu, share)
    return operations


def wanted_scheduler(gpu: GpuPod) -> str | None:
    """Return the scheduler name that must be written, None where the present one stays."""
    name, dialect = gpu.pod.spec.get("schedulerName"), gpu.dialect
    if name == dialect.scheduler_name:
        return None
    if name in UNSET_SCHEDULERS:
        return None if dialect.scheduler_name in UNSET_SCHEDULERS else dialect.scheduler_name
    foreign = name not in dialect.accepted_schedulers
    return dialect.scheduler_name if foreign and gpu.rules.foreign_scheduler == "override" else None


def scheduler_operation(gpu: GpuPod, name: str) -> PatchOp:
    """Return the operation that writes the scheduler name."""
    path = pointer((*gpu.pod.root, *gpu.pod.spec_at, "schedulerName"))
    return PatchOp("replace" if "schedulerName" in gpu.pod.spec else "add", path, name)


def _annotations(pod: PodView, wanted: Mapping[str, str]) -> list[PatchOp]:
    present = pod.annotations
    missing = {key: text for key, text in wanted.items() if present.get(key) != text}
    if not missing:
        return []
    if not pod.metadata:
        return [PatchOp("add", pointer((*pod.root, "metadata")), {"annotations": missing})]
    annotations = pointer((*pod.root, "metadata", "annotations"))
    if not isinstance(pod.metadata.get("annotations"), dict):
        return [PatchOp("add", annotations, missing)]
    return [PatchOp("replace" if key in present else "add", f"{annotations}{pointer((key,))}", text) for key, text in missing.items()]


def environment(gpu: GpuPod, share: GpuShare) -> Iterator[PatchOp]:
    """Yield what tells a container its figures as environment variables."""
    path = pointer((*gpu.pod.root, *share.ask.where, "env"))
    present = share.ask.container.get("env") or []
    if not isinstance(present, list):
        return
    known = figures(gpu, share)
    missing = []
    for name, figure in ENVIRONMENT.items():
        if figure not in known:
            continue
        entry = {"name": name, "value": str(known[figure])}
        places = _entries_named(present, name)
        missing += [] if places else [entry]
        yield from (PatchOp("replace", f"{path}/{index}", entry) for index in places if present[index] != entry)
    if missing and present:
        yield from (PatchOp("add", f"{path}/-", entry) for entry in missing)
    elif missing:
        yield PatchOp("add", path, missing)


def _entries_named(present: list[Any], name: str) -> list[int]:
    return [index for index, entry in enumerate(present) if isinstance(entry, dict) and entry.get("name") == name]
