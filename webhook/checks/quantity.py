"""Memory and compute must be whole, positive numbers in the vendor's unit.

The keys count in units of their own: MiB on Volcengine, blocks of 128 MiB on Huawei, GiB on Alibaba, percent for compute. They
are Kubernetes quantities all the same, so that `4k` is 4000 and `8Gi` is 8589934592, of whatever the key counts; a value
that only makes sense in bytes is refused, and the hint says what was meant. Fractions are refused by Kubernetes itself
or, worse, rounded up by a scheduler.

Fields: the memory and compute keys in the resources of each container.

Allowed: every spelling of a whole number that Kubernetes knows: `4000`, `4k`, `4Ki`, `4e3`, `3000m`.

Source: Kubernetes, resource quantities (apimachinery, `pkg/api/resource`) and extended resources: they must be integers.

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
        limits: {vke.volcengine.com/mgpu-memory: 4k, vke.volcengine.com/mgpu-core: "30"}
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
        limits: {vke.volcengine.com/mgpu-memory: 4Gi, vke.volcengine.com/mgpu-core: "30"}
```
"""

import re
from collections.abc import Iterator
from fractions import Fraction

from webhook.core.arithmetic import byte_options, core_hint, core_options, is_wrong_unit, memory_options, valid_core, valid_memory
from webhook.core.finding import Complaint, quoted, shown
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.quantity import parse_quantity
from webhook.core.share import GpuPod, GpuShare, Sourced
from webhook.core.wording import either

# What people write for bytes that is no Kubernetes quantity: `8GB`, `8 GiB`, `8g`.
_BYTES = re.compile(r"([0-9]+(?:[.][0-9]+)?) ?([KMGTkmgt])i?[Bb]?", re.ASCII)
_PROBLEMS = {
    "unparsable": "is not a Kubernetes quantity",
    "not-whole": "is not whole",
    "not-positive": "is not positive",
}


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    for share in gpu.shares:
        for role, amount in share.amounts.items():
            if amount.problem is not None:
                message = f"{quoted(amount.written)} {_PROBLEMS[amount.problem]}; must be a whole number of {_unit(gpu, role)}, 1 or more"
                yield _complaint(share, amount, message, _hint(gpu, share, role))
            elif is_wrong_unit(gpu, share, role):
                unit = _unit(gpu, role)
                message = f"{quoted(amount.written)} is {amount.value} {unit}, out of range; must count {unit}, not bytes"
                yield _complaint(share, amount, message, _unit_hint(gpu, share, role, amount))


def _unit(gpu: GpuPod, role: str) -> str:
    return {"memory": gpu.dialect.unit_name, "tflops": "TFLOPS", "cards": "cards"}.get(role, "percent")


def _hint(gpu: GpuPod, share: GpuShare, role: str) -> str:
    amount, leave_out = share.amounts[role], "leave the key out"
    if role == "memory" and share.whole and gpu.dialect.whole_cards_leave_memory_out:
        return f"{leave_out}: whole cards come with all their memory"
    meant = _BYTES.fullmatch(shown(amount.written)) if role == "memory" and amount.problem == "unparsable" else None
    if meant and (options := byte_options(gpu, f"{meant[1]}{meant[2].upper()}i", share.cards or 1)):
        return f"write {either(options)}"
    if amount.problem == "not-whole":
        return f"write {either(_options(gpu, role, parse_quantity(amount.written), share.cards or 1))}"
    least = f"write {_options(gpu, role, 0, share.cards or 1)[0]} or more"
    needed = role == "memory" or (role == "core" and gpu.dialect.compute_required)
    return least if needed and len(share.amounts) > 1 else f"{least}, or {leave_out}"


def _options(gpu: GpuPod, role: str, number: int | Fraction, cards: int) -> list[str]:
    """Return the valid values next to `number`; where a card's limits leave none, the plain whole numbers next to it."""
    options = {
        "memory": lambda: memory_options(gpu, valid_memory(gpu, number, cards), cards),
        "core": lambda: core_options(gpu, valid_core(gpu, number, cards), cards),
    }.get(role, list)()
    return options or [f'"{whole}"' for whole in sorted({max(1, number // 1), max(1, -(-number // 1))})]


def _unit_hint(gpu: GpuPod, share: GpuShare, role: str, amount: Sourced) -> str:
    cards = share.cards or 1
    if role == "core":
        return core_hint(gpu, share, amount.value or 0, cards)
    return f"write {either(byte_options(gpu, amount.written, cards) or ['a plain number'])}"


def _complaint(share: GpuShare, amount: Sourced, message: str, hint: str) -> Complaint:
    return Complaint(amount.where, amount.written, message, hint, container=share.name)


CHECK = Check(id="quantity", page=__doc__, run=_run, needs=Need.UNFIT)
