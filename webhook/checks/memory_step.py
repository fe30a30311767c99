"""Memory on each card must be a multiple of the dialect's step: 128 MiB on Huawei, 1 GiB on Alibaba, 1 MiB on Volcengine.

Memory is written as the total over the container's cards, and every card gives the same part of it. `64` blocks of
128 MiB are 8192 MiB: 4096 MiB on each of two cards, but 2730 2/3 MiB on each of three, which no card can give. Such a
pod is refused (Volcengine) or stays Pending without a word about the reason (Huawei, Alibaba). A site may set another
step (`dialects.<id>.memory_step_mib`).

Fields: `vke.volcengine.com/mgpu-memory`, `volcano.sh/gpu-mem.128Mi`, `aliyun.com/gpu-mem` in the limits of each container.

Allowed: totals that are a multiple of step × cards.

Source: Huawei Cloud CCE user guide, even distribution over several cards (cce_10_0965); Alibaba Cloud ACK, multi-GPU
sharing; Volcengine VKE, mGPU multi-card sharing.

PASS:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: train
  labels:
    volcano.sh/gpu-num: "2"
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
    volcano.sh/gpu-num: "3"
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

from webhook.core.arithmetic import is_wrong_unit, memory_hint
from webhook.core.finding import Complaint, quoted
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.share import GpuPod
from webhook.core.wording import split_text, step_text


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    step = gpu.dialect.memory_step_mib
    for share in gpu.shares:
        memory, total, cards = share.memory, share.memory_mib, share.cards
        if memory is None or memory.value is None or total is None or not cards or total % (cards * step) == 0:
            continue
        if is_wrong_unit(gpu, share, "memory") or (share.whole and gpu.dialect.whole_cards_leave_memory_out):
            continue
        message = f"{quoted(memory.written)} is {split_text(total, 'MiB', cards)}; must be {step_text(step, 'MiB')} on each card"
        yield Complaint(
            memory.where, memory.written, message, memory_hint(gpu, share, memory.value, cards), container=share.name, figures=share.figures
        )


CHECK = Check(id="memory-step", page=__doc__, run=_run, needs=Need.UNFIT)
