"""A request in the pod's annotations must name a container of the pod, and a part of a card that is above 0 and below 1.

KAI reads what a pod asks for from its annotations and gives the cards to one container. A fraction that is no plain decimal
number (`NaN`, `0x1p-1`) passes its admission and asks for something else or nothing; 1 and more is refused.

Fields: pod annotations `gpu-fraction` and `gpu-fraction-container-name`.

Allowed: `0.5`, `.25`; the name of one of `spec.containers`, or no name for the first.

Settings: `dialects.kai.enabled: true`

Source: NVIDIA/KAI-Scheduler, GPU sharing; `pkg/admission/webhook/v1alpha2/gpusharing`.

PASS:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: infer
  annotations: {gpu-fraction: "0.5", gpu-fraction-num-devices: "2"}
spec:
  schedulerName: kai-scheduler
  containers:
    - name: app
      image: infer:1
```

FAIL:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: infer
  annotations: {gpu-fraction: "1.5", gpu-fraction-container-name: worker}
spec:
  schedulerName: kai-scheduler
  containers:
    - name: app
      image: infer:1
```
"""

from collections.abc import Iterator

from webhook.core.finding import Complaint, quoted
from webhook.core.plugin import Check
from webhook.core.pod import text_of
from webhook.core.share import GpuPod
from webhook.core.wording import either


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    key = gpu.dialect.holder_key
    if key is not None and key in gpu.pod.annotations:
        yield from _holder(gpu, key)
    for share in gpu.shares:
        fraction = share.amounts.get("memory_percent")
        if fraction is not None and fraction.value is None:
            message = f"{quoted(fraction.written)} is no part of a card; must be a plain decimal number above 0 and below 1"
            yield Complaint(fraction.where, fraction.written, message, 'write for example "0.5"', container=share.name)


def _holder(gpu: GpuPod, key: str) -> Iterator[Complaint]:
    written = gpu.pod.annotations[key]
    names = [text_of(container.get("name")) for _, container in gpu.pod.containers]
    if written not in names:
        message = f"{quoted(written)} is no container of the pod; {key} must name one of spec.containers"
        hint = f"write {either(map(quoted, names))}, or leave it out for the first" if names else ""
        yield Complaint(("metadata", "annotations", key), written, message, hint)


CHECK = Check(id="pod-request", page=__doc__, run=_run, concerns=lambda dialect: dialect.amount_place != "resources")
