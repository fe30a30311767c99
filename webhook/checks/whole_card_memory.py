"""On Volcengine a container that takes whole cards must leave memory out.

100 % of compute on every card takes the cards whole, and with them all their memory. A memory value beside it is
refused by the vendor's admission, even 0. On Huawei the value stays but is no limit; on Alibaba the memory keeps its
limit at 100 % too.

Fields: `vke.volcengine.com/mgpu-memory` in the resources of each container.

Allowed: no memory where `vke.volcengine.com/mgpu-core` is N × 100 without a list of card counts, or 100 × the entry of the
list; memory with anything less.

Source: Volcengine VKE, mGPU multi-card sharing; the admission code in volcano-sh/volcano pull request 3030.

PASS:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  containers:
    - name: app
      image: train:1
      resources:
        limits: {vke.volcengine.com/mgpu-core: "200"}
```

FAIL:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  containers:
    - name: app
      image: train:1
      resources:
        limits: {vke.volcengine.com/mgpu-core: "200", vke.volcengine.com/mgpu-memory: "16384"}
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
        if share.whole and share.memory is not None:
            taken = f"{share.core_percent} % of compute, which takes {cards_text(share.cards or 1)} whole"
            message = f"{quoted(share.memory.written)} beside {taken}; whole cards must leave memory out"
            hint = f"leave {gpu.dialect.resources['memory']} out, or ask for less than 100 % on each card"
            yield Complaint(share.memory.where, share.memory.written, message, hint, FORBIDDEN, share.name, figures=share.figures)


CHECK = Check(
    id="whole-card-memory", page=__doc__, run=_run, concerns=lambda dialect: dialect.whole_cards_leave_memory_out, needs=Need.UNFIT
)
