"""A resource name in a vendor's namespace should be one that the vendor knows.

Kubernetes accepts any name. One that no node offers leaves the pod Pending for ever, and a misspelt key beside a right one
silently loses half of what was asked for: with the label `volcano.sh/GPU-num` a pod gets one card. Only a warning: vendors
add keys.

Fields: resource names that begin with `vke.volcengine.com/mgpu-`, `volcano.sh/gpu-` or `aliyun.com/gpu`. Beside a container that
asks, resource names, labels and annotations that look like a key of the vendor: in another case, with letters of another
script, one character off.

Allowed: the keys on the page of each dialect. `volcano.sh/gpu-memory` and `volcano.sh/gpu-number` belong to open-source
Volcano: alone they are not Huawei's, beside Huawei's keys they are a mistake. `volcano.sh/vgpu-*` is nobody's here.

Source: Kubernetes, extended resources; the vendors' pages that the dialects name.

PASS:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  containers:
    - name: app
      image: infer:1
      resources:
        limits: {aliyun.com/gpu-mem: "8", aliyun.com/gpu-core.percentage: "30"}
```

FAIL:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  containers:
    - name: app
      image: infer:1
      resources:
        limits: {aliyun.com/gpu-mem: "8", aliyun.com/gpu-core: "30"}
```
"""

from collections.abc import Iterator

from webhook.core.finding import Complaint
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.share import GpuPod, KeyAt


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    reported = set()
    dialect, survey = gpu.dialect.id, gpu.survey
    near = survey.near.get(dialect, [])
    for found in survey.unknown.get(dialect, []) + survey.foreign.get(dialect, []) + near:
        place = (*found.where[:-2], found.key)
        if place not in reported:
            reported.add(place)
            nearest = _nearest_by_both_ends(gpu, found.key) if found in near else _nearest_by_start(gpu, found.key)
            yield _complaint(gpu, found, nearest)


def _complaint(gpu: GpuPod, found: KeyAt, nearest: str | None) -> Complaint:
    effect = "it has no effect" if found.where[0] == "metadata" else "no node offers it, the pod would stay Pending"
    # A letter of another script looks the same: it must not here.
    shown = found.key.encode("ascii", "backslashreplace").decode()
    meant = {known: f"the pod {place[:-1]} {known}" for known, place in gpu.dialect.pod_keys.items()}
    hint = f"the resources of {gpu.dialect.title} are {' and '.join(gpu.dialect.resources.values())}"
    if nearest is not None:
        hint = f"{meant.get(nearest, nearest)} was meant, most likely"
    return Complaint(found.where, found.written, f"{shown} is no key of {gpu.dialect.title}: {effect}", hint, container=found.container)


def _known(gpu: GpuPod) -> list[str]:
    return [*gpu.dialect.resources.values(), *gpu.dialect.pod_keys]


def _nearest_by_both_ends(gpu: GpuPod, key: str) -> str:
    return max(_known(gpu), key=lambda one: _common_start(one, key) + _common_start(one[::-1], key[::-1]))


def _nearest_by_start(gpu: GpuPod, key: str) -> str | None:
    """Return the known key that begins as this one does, None where they have no more in common than a family has."""
    nearest = max(_known(gpu), key=lambda one: _common_start(one, key))
    return nearest if any(_common_start(nearest, key) > len(family) for family in gpu.dialect.families) else None


def _common_start(one: str, other: str) -> int:
    pairs = zip(one.casefold(), other.casefold(), strict=False)
    return next((index for index, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


CHECK = Check(id="unknown-key", page=__doc__, run=_run, needs=Need.ODD_KEYS, severity="warning")
