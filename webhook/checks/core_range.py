"""Compute must be at most 100 % on each card.

Compute is written as the total over the container's cards, and 100 is the whole of one card: `150` over two cards is
75 % of each, `150` on one card is more than there is. Such a pod is refused (Volcengine) or waits for ever for a card
that does not exist (Huawei, Alibaba). On Alibaba all containers of a pod sit on the same cards, so that the limit
holds for their sum.

Fields: `vke.volcengine.com/mgpu-core`, `volcano.sh/gpu-core.percentage`, `aliyun.com/gpu-core.percentage` in the limits
of each container.

Allowed: up to 100 × cards. On Volcengine without a list of counts, N × 100 takes N cards whole.

Source: Volcengine VKE, mGPU multi-card sharing; Huawei Cloud CCE user guide, using GPU virtualization (cce_10_0646)
and even distribution (cce_10_0965); Alibaba Cloud, developer.aliyun.com article 1685728.

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
        limits: {volcano.sh/gpu-mem.128Mi: "64", volcano.sh/gpu-core.percentage: "150"}
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
        limits: {volcano.sh/gpu-mem.128Mi: "64", volcano.sh/gpu-core.percentage: "250"}
```
"""

from collections.abc import Iterator
from itertools import accumulate

from webhook.core.arithmetic import core_hint, is_wrong_unit
from webhook.core.finding import Complaint, quoted
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.portions import WHOLE_CARD_PERCENT
from webhook.core.share import GpuPod, GpuShare
from webhook.core.wording import split_text


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    found = False
    for share in gpu.shares:
        core, total, cards, least = share.core, share.core_percent, share.cards, _least(gpu, share)
        if core is None or total is None or not cards or cards * least <= total <= cards * WHOLE_CARD_PERCENT:
            continue
        found = True
        if not is_wrong_unit(gpu, share, "core"):
            bound = f"at least {least}" if total < cards * least else "at most 100"
            message = f"{quoted(core.written)} is {split_text(total, '%', cards)}; must be {bound} % on each card"
            yield Complaint(
                core.where, core.written, message, core_hint(gpu, share, total, cards), container=share.name, figures=share.figures
            )
    if not found and gpu.dialect.card_bears_all and len(gpu.shares) > 1:
        yield from _sum_over_containers(gpu)


def _least(gpu: GpuPod, share: GpuShare) -> int:
    """Return the least compute of a card; where several share none, `compute-unsupported` says it all."""
    shares_compute = gpu.dialect.compute_over_several_cards or share.cards == 1
    return gpu.dialect.core_min_percent if shares_compute else 0


def _sum_over_containers(gpu: GpuPod) -> Iterator[Complaint]:
    """All containers of the pod sit on the same card: complain of the one that takes the sum over 100 %."""
    totals = accumulate(share.core_percent or 0 for share in gpu.shares)
    for share, total in zip(gpu.shares, totals, strict=True):
        if share.core is not None and share.cards and total > share.cards * WHOLE_CARD_PERCENT:
            asked = f"with this container the pod asks for {split_text(total, '%', share.cards)}"
            message = f"{asked}; must be at most 100 % on each card, as all its containers sit on the same cards"
            hint = _hint(gpu, share.cards, share.cards * WHOLE_CARD_PERCENT - (total - (share.core_percent or 0)))
            yield Complaint(share.core.where, share.core.written, message, hint, container=share.name, figures=gpu.figures)
            return


def _hint(gpu: GpuPod, cards: int, left_percent: int) -> str:
    """Return what the containers before this one leave to it, where that is anything."""
    valid = left_percent // (cards * gpu.dialect.core_step_percent) * cards * gpu.dialect.core_step_percent
    return f'write "{valid}" or less here' if valid else "ask for less in the containers before it"


CHECK = Check(id="core-range", page=__doc__, run=_run, needs=Need.UNFIT)
