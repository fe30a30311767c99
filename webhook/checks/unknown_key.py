"""A resource name in a vendor's namespace should be one that the vendor knows.

Kubernetes accepts any name. One that no node offers leaves the pod Pending for ever, and a misspelt key beside a right one
silently loses half of what was asked for. Only a warning: vendors add keys.

Fields: resource names that begin with `vke.volcengine.com/mgpu-`, `volcano.sh/gpu-` or `aliyun.com/gpu`.

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
from webhook.core.share import GpuPod


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    reported = set()
    dialect = gpu.dialect.id
    foreign = gpu.survey.foreign.get(dialect, []) if gpu.marked else []
    for key, where, written, container in gpu.survey.unknown.get(dialect, []) + foreign:
        place = (*where[:-2], key)
        if place not in reported:
            reported.add(place)
            message = f"{key} is no key of {gpu.dialect.title}: no node offers it, the pod would stay Pending"
            yield Complaint(where, written, message, _hint(gpu, key), container=container)


def _hint(gpu: GpuPod, key: str) -> str:
    pod_keys = {known: f"the pod {place[:-1]} {known}" for known, place in gpu.dialect.pod_keys.items()}
    known = {**{resource: resource for resource in gpu.dialect.resources.values()}, **pod_keys}
    nearest = max(known, key=lambda one: _common_start(one, key))
    if all(_common_start(nearest, key) <= len(family) for family in gpu.dialect.families):
        return f"the resources of {gpu.dialect.title} are {' and '.join(gpu.dialect.resources.values())}"
    return f"{known[nearest]} was meant, most likely"


def _common_start(one: str, other: str) -> int:
    return next((index for index, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


CHECK = Check(id="unknown-key", page=__doc__, run=_run, needs=Need.ODD_KEYS, severity="warning")
