"""The annotation with the limits of each card must say what percard computes.

percard's mutating webhook writes what each card gives into `percard.webhook/limits`; programs and dashboards believe it.
On a new pod the webhook overwrites whatever stands there, so that only a pod that went past it, a later change, or a
copied manifest can carry another text. Figures are compared, not bytes; fields that percard does not know are passed
over. Where a pod without a node has its share repaired, the old annotation only warns.

Fields: pod annotation `percard.webhook/limits` (the prefix is the setting `annotation_prefix`).

Allowed: no annotation, or one JSON object with the same figures, the same containers and the same dialect.

Source: percard's own; the figures follow from the vendors' rules on even distribution.

PASS:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: train
  labels:
    volcano.sh/gpu-num: "2"
  annotations:
    percard.webhook/limits: '{"containers":{"app":{"cards":2,"memoryMiB":4096}},"dialect":"huawei"}'
spec:
  schedulerName: volcano
  containers:
    - name: app
      image: train:1
      resources:
        limits: {volcano.sh/gpu-mem.128Mi: "64"}
```

FAIL:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: train
  labels:
    volcano.sh/gpu-num: "2"
  annotations:
    percard.webhook/limits: '{"containers":{"app":{"cards":2,"memoryMiB":8192}},"dialect":"huawei"}'
spec:
  schedulerName: volcano
  containers:
    - name: app
      image: train:1
      resources:
        limits: {volcano.sh/gpu-mem.128Mi: "64"}
```
"""

from collections.abc import Iterator
from typing import Any

from webhook.core.finding import Complaint, quoted
from webhook.core.limits import figures, is_exact, written_limits
from webhook.core.plugin import Check
from webhook.core.pod import mapping
from webhook.core.share import GpuPod, Stage

_FIGURES = ("cards", "corePercent", "memoryAtLeast", "memoryMiB", "memoryPercent", "whole")


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    key = gpu.rules.limits_key
    if key not in gpu.pod.annotations or gpu.stage is Stage.MUTATE or not is_exact(gpu):
        return
    difference = _difference(gpu, written_limits(gpu))
    if difference:
        message = f"{key} does not say what the pod asks for: {difference}"
        hint = f"remove the annotation; the mutating webhook writes it when {'the' if gpu.old is None else 'a'} pod is created"
        complaint = Complaint(("metadata", "annotations", key), gpu.pod.annotations[key], message, hint)
        complaint.severity = "warning" if _is_stale(gpu) else None
        yield complaint


def _is_stale(gpu: GpuPod) -> bool:
    """Before the pod has a node its share may be repaired; the annotation cannot follow, as UPDATE is never patched."""
    return gpu.old is not None and gpu.old.pod.spec.get("nodeName") in (None, "")


def _difference(gpu: GpuPod, written: Any) -> str:
    if not isinstance(written, dict) or not isinstance(written.get("containers"), dict):
        return "it is no JSON object of percard's form"
    if written.get("dialect") != gpu.dialect.id:
        return f"the dialect must be {quoted(gpu.dialect.id)}"
    computed = {share.name or "": figures(gpu, share) for share in gpu.shares}
    if written["containers"].keys() != computed.keys():
        return f"the containers must be {', '.join(map(quoted, sorted(computed)))}"
    return next(
        (text for name, known in computed.items() if (text := _in_container(name, known, mapping(written["containers"][name])))), ""
    )


def _in_container(name: str, known: dict[str, Any], written: Any) -> str:
    for figure in _FIGURES:
        now, computed = written.get(figure), known.get(figure)
        if now != computed or isinstance(now, bool) is not isinstance(computed, bool):
            return f"{figure} of container {quoted(name)} must be {'left out' if computed is None else quoted(computed)}"
    return ""


CHECK = Check(id="limits-annotation", page=__doc__, run=_run)
