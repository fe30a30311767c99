"""On Alibaba a share over several cards must be of memory alone; compute is shared out on one card only.

Multi-GPU sharing on ACK isolates the memory of each card and leaves compute to whoever runs: there is no dedicated
part of it. The scheduler's code would place such a pod all the same, so that its owner would believe in a limit that
nobody keeps.

Fields: `aliyun.com/gpu-core.percentage` and `aliyun.com/gpu-core.tflops` in the limits of each container.

Allowed: compute without the pod label `aliyun.com/gpu-count`, or with `"1"`. Memory over any number of cards.

Source: Alibaba Cloud ACK, multi-GPU sharing.

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
  labels:
    aliyun.com/gpu-count: "2"
spec:
  containers:
    - name: app
      image: infer:1
      resources:
        limits: {aliyun.com/gpu-mem: "8", aliyun.com/gpu-core.percentage: "30"}
```
"""

from collections.abc import Iterator

from webhook.core.finding import FORBIDDEN, Complaint, quoted
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.share import GpuPod
from webhook.core.wording import cards_text


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    for share in gpu.shares:
        cards = share.cards or 0
        for amount in (share.amounts.get("core"), share.amounts.get("tflops")):
            if cards > 1 and amount is not None:
                asked = f"{quoted(amount.written)} asks for compute on {cards_text(cards)}"
                message = f"{asked}; several cards share memory only, compute must be left out"
                hint = f"leave {amount.where[-1]} out, or ask for one card: drop the pod label {gpu.dialect.count_key}"
                yield Complaint(amount.where, amount.written, message, hint, FORBIDDEN, share.name, figures=share.figures)


CHECK = Check(
    id="compute-unsupported", page=__doc__, run=_run, concerns=lambda dialect: not dialect.compute_over_several_cards, needs=Need.UNFIT
)
