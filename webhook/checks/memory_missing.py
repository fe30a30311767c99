"""A share must ask for memory; only whole cards on Volcengine leave it out.

Memory is what a share is placed by. Compute alone is refused by Volcengine unless it takes whole cards, cannot be set on
its own on Huawei, and is never scheduled on Alibaba.

Fields: `vke.volcengine.com/mgpu-memory`, `volcano.sh/gpu-mem.128Mi`, `aliyun.com/gpu-mem` in the limits of each container
that asks for compute.

Allowed: memory with or without compute (Volcengine: with). On Volcengine 100 % for each card without memory.

Source: Huawei Cloud CCE, overview of GPU virtualization (cce_10_0644): compute cannot be isolated alone; the ACK
gpushare plugin: requests must include `aliyun.com/gpu-mem`; Volcengine VKE, mGPU multi-card sharing.

PASS:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  schedulerName: volcano
  containers:
    - name: app
      image: infer:1
      resources:
        limits: {volcano.sh/gpu-mem.128Mi: "32", volcano.sh/gpu-core.percentage: "25"}
```

FAIL:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  schedulerName: volcano
  containers:
    - name: app
      image: infer:1
      resources:
        limits: {volcano.sh/gpu-core.percentage: "25"}
```
"""

from collections.abc import Iterator

from webhook.core.arithmetic import valid_memory
from webhook.core.finding import ABSENT, REQUIRED, Complaint
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.share import GpuPod, GpuShare


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    key = gpu.dialect.resources["memory"]
    for share in gpu.shares:
        if share.memory is None and share.amounts and not (share.whole and gpu.dialect.whole_cards_leave_memory_out):
            where = (*share.ask.where, "resources", "limits", key)
            message = f"asks for compute without memory; {key} must be set"
            yield Complaint(where, ABSENT, message, _hint(gpu, share), REQUIRED, share.name, figures=share.figures)


def _hint(gpu: GpuPod, share: GpuShare) -> str:
    least = valid_memory(gpu, 0, share.cards or 1)
    unit = gpu.dialect.unit_name
    smallest = (
        f'add {gpu.dialect.resources["memory"]}: "{least[0]}" or more ({unit}, total over the cards)' if least else f"add it in {unit}"
    )
    return f"{smallest}, or ask for whole cards (100 % each)" if gpu.dialect.whole_cards_leave_memory_out else smallest


CHECK = Check(id="memory-missing", page=__doc__, run=_run, concerns=lambda dialect: not dialect.resource_sets, needs=Need.UNFIT)
