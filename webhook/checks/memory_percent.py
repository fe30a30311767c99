"""A share of a card's memory that is written as a percentage must be a whole percent on each card, from 1 to 100.

Koordinator and Baidu count the percentage over all cards and refuse what does not divide; HAMi refuses more than 100 with an
HTTP error at admission, Volcano vGPU never finds a card for it.

Fields: `nvidia.com/gpumem-percentage` (HAMi), `volcano.sh/vgpu-memory-percentage` (Volcano vGPU),
`koordinator.sh/gpu-memory-ratio` and `koordinator.sh/gpu` (Koordinator), `baidu.com/…_cgpu_memory_percent` (Baidu).

Allowed: 1 to 100 for each card; under Koordinator and Baidu times the number of cards.

Settings: `dialects.koordinator.enabled: true`

Source: Project-HAMi/HAMi `pkg/device/nvidia/device.go`; koordinator-sh/koordinator `pkg/webhook/pod/validating`.

PASS:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  schedulerName: koord-scheduler
  containers:
    - name: app
      image: infer:1
      resources:
        limits: {koordinator.sh/gpu.shared: 2, koordinator.sh/gpu-memory-ratio: 100}
```

FAIL:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  schedulerName: koord-scheduler
  containers:
    - name: app
      image: infer:1
      resources:
        limits: {koordinator.sh/gpu.shared: 2, koordinator.sh/gpu-memory-ratio: 75}
```
"""

from collections.abc import Iterator
from fractions import Fraction

from webhook.core.arithmetic import core_options, nearest
from webhook.core.finding import Complaint, quoted
from webhook.core.plugin import Check
from webhook.core.portions import WHOLE_CARD_PERCENT
from webhook.core.share import GpuPod, GpuShare, Sourced
from webhook.core.wording import either, split_text

_ROLES = ("memory_percent", "both")


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    if gpu.dialect.amount_place != "resources":
        return  # a fraction in an annotation is no percentage: `pod-request` judges it
    for share in gpu.shares:
        amount = next(filter(None, map(share.amounts.get, _ROLES)), None)
        percent, cards = share.memory_percent, share.cards
        if amount is None or amount.value is None or percent is None or not cards:
            continue
        each = Fraction(percent, cards)
        if each.denominator != 1 or not 1 <= each <= WHOLE_CARD_PERCENT:
            yield _complaint(gpu, share, amount, cards)


def _complaint(gpu: GpuPod, share: GpuShare, amount: Sourced, cards: int) -> Complaint:
    split = split_text(int(share.memory_percent or 0), "%", cards)
    message = f"{quoted(amount.written)} is {split} of a card's memory; must be a whole % from 1 to {WHOLE_CARD_PERCENT} on each card"
    spread = gpu.dialect.spread(cards)
    options = nearest(amount.value or 0, spread, spread, spread * WHOLE_CARD_PERCENT)
    hint = f"write {either(core_options(gpu, options, cards))}"
    return Complaint(amount.where, amount.written, message, hint, container=share.name, figures=(cards, share.memory_percent))


CHECK = Check(id="memory-percent", page=__doc__, run=_run, concerns=lambda dialect: not dialect.resources.keys().isdisjoint(_ROLES))
