"""Memory on each card must be at least the dialect's minimum and at most its maximum.

Memory is written as the total over the container's cards; what counts is the part that falls on each. Volcengine gives at
least 256 MiB, and with a list of card counts at least 1024 MiB on each card; Huawei's smallest block is 128 MiB,
Alibaba's unit 1 GiB. The maximum, 1048576 MiB, is larger than any card and only catches slips of the unit; a site that
knows its cards may set it lower (`dialects.<id>.memory_max_mib`). On Alibaba all containers of a pod sit on the same
cards, so that the maximum holds for their sum. A number with a suffix, such as `16Gi`, is the business of `quantity`.

Fields: `vke.volcengine.com/mgpu-memory`, `volcano.sh/gpu-mem.128Mi`, `aliyun.com/gpu-mem` in the limits of each container.

Allowed: totals from minimum × cards to maximum × cards.

Source: Volcengine VKE, mGPU console limits (docs/6460/182418), and the admission code in volcano-sh/volcano pull request
3030; Huawei Cloud CCE parameter reference of `volcano.sh/gpu-mem.128Mi`; Alibaba Cloud ACK, multi-GPU sharing.

PASS:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: train
  annotations:
    vke.volcengine.com/container-multiple-gpu: "2"
    vke.volcengine.com/mgpu-compute-policy: native-burst-share
spec:
  containers:
    - name: app
      image: train:1
      resources:
        limits: {vke.volcengine.com/mgpu-memory: "2048", vke.volcengine.com/mgpu-core: "30"}
```

FAIL:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: train
  annotations:
    vke.volcengine.com/container-multiple-gpu: "2"
    vke.volcengine.com/mgpu-compute-policy: native-burst-share
spec:
  containers:
    - name: app
      image: train:1
      resources:
        limits: {vke.volcengine.com/mgpu-memory: "1024", vke.volcengine.com/mgpu-core: "30"}
```
"""

from collections.abc import Iterator
from itertools import accumulate

from webhook.core.arithmetic import is_wrong_unit, memory_hint, minimum_mib, most_memory, options_in_mib
from webhook.core.finding import Complaint, quoted
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.share import GpuPod, GpuShare, Sourced
from webhook.core.wording import either, mib_text, split_text


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    found = any(is_wrong_unit(gpu, share, "memory") for share in gpu.shares)
    for share in gpu.shares:
        memory, total, cards = share.memory, share.memory_mib, share.cards
        if memory is None or total is None or not cards or (share.whole and gpu.dialect.whole_cards_leave_memory_out):
            continue
        bound = _bound(gpu, share)
        if bound:
            found = True
            message = f"{quoted(memory.written)} is {split_text(total, 'MiB', cards)}; {bound} on each card"
            yield _complaint(gpu, share, memory, message)
    if not found and gpu.dialect.card_bears_all and len(gpu.shares) > 1:
        yield from _sum_over_containers(gpu)


def _bound(gpu: GpuPod, share: GpuShare) -> str:
    total, cards = share.memory_mib or 0, share.cards or 1
    least, most = minimum_mib(gpu, cards), gpu.dialect.memory_max_mib
    if total < cards * least:
        return f"must be at least {mib_text(least)}"
    if total > cards * most and not is_wrong_unit(gpu, share, "memory"):
        return f"must be at most {mib_text(most)}"
    return ""


def _complaint(gpu: GpuPod, share: GpuShare, memory: Sourced, message: str) -> Complaint:
    cards, units = share.cards or 1, memory.value or 0
    meant = options_in_mib(gpu, units, cards) if units * gpu.dialect.memory_unit_mib > cards * gpu.dialect.memory_max_mib else []
    hint = memory_hint(gpu, share, units, cards)
    if meant:
        hint = f"write {either(meant)} if MiB were meant, else {hint}"
    return Complaint(memory.where, memory.written, message, hint, container=share.name, figures=share.figures)


def _sum_over_containers(gpu: GpuPod) -> Iterator[Complaint]:
    """All containers of the pod sit on the same cards: complain of the one that takes the sum over the maximum."""
    most = gpu.dialect.memory_max_mib
    totals = accumulate(share.memory_mib or 0 for share in gpu.shares)
    for share, total in zip(gpu.shares, totals, strict=True):
        cards = share.cards or gpu.dialect.max_cards
        if share.memory is not None and total > cards * most:
            asked = f"with this container the pod asks for {split_text(total, 'MiB', cards)}"
            message = f"{asked}; must be at most {mib_text(most)} on each card, as all its containers sit on the same cards"
            hint = _hint(gpu, share, cards * most - (total - (share.memory_mib or 0)))
            yield Complaint(share.memory.where, share.memory.written, message, hint, container=share.name, figures=gpu.figures)
            return


def _hint(gpu: GpuPod, share: GpuShare, left_mib: int) -> str:
    """Return what the containers before this one leave to it, where that is anything."""
    cards = share.cards or gpu.dialect.max_cards
    most = most_memory(gpu, left_mib, cards)
    return f'write "{most}" or less here, or ask for more cards' if most else "ask for less in the containers before it, or for more cards"


CHECK = Check(id="memory-range", page=__doc__, run=_run, needs=Need.UNFIT)
