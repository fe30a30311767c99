"""Compute on each card must be a multiple of the dialect's step: 5 % on Huawei and Alibaba, 1 % on Volcengine.

Compute is written as the total over the container's cards, so that the total itself must be a multiple of step × cards:
`30` over two cards is 15 % each, `25` over two would be 12 1/2 %. A site may set another step
(`dialects.<id>.core_step_percent`).

Fields: `vke.volcengine.com/mgpu-core`, `volcano.sh/gpu-core.percentage`, `aliyun.com/gpu-core.percentage` in the limits
of each container.

Allowed: Huawei multiples of 5 × cards, Alibaba multiples of 5 (on one card), Volcengine multiples of the cards.

Source: Huawei Cloud CCE user guide, even distribution (cce_10_0965); Alibaba Cloud, developer.aliyun.com article
1685728; Volcengine VKE, mGPU multi-card sharing.

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
        limits: {volcano.sh/gpu-mem.128Mi: "64", volcano.sh/gpu-core.percentage: "30"}
```

FAIL:

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
        limits: {volcano.sh/gpu-mem.128Mi: "64", volcano.sh/gpu-core.percentage: "25"}
```
"""

from collections.abc import Iterator

from webhook.core.arithmetic import core_hint, is_wrong_unit
from webhook.core.finding import Complaint, quoted
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.share import GpuPod
from webhook.core.wording import split_text, step_text


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    step = gpu.dialect.core_step_percent
    for share in gpu.shares:
        core, total, cards = share.core, share.core_percent, share.cards
        if core is None or total is None or not cards or total % (cards * step) == 0:
            continue
        if is_wrong_unit(gpu, share, "core") or (cards > 1 and not gpu.dialect.compute_over_several_cards):
            continue
        message = f"{quoted(core.written)} is {split_text(total, '%', cards)}; must be {step_text(step, '%')} on each card"
        yield Complaint(core.where, core.written, message, core_hint(gpu, share, total, cards), container=share.name, figures=share.figures)


CHECK = Check(id="core-step", page=__doc__, run=_run, needs=Need.UNFIT)
