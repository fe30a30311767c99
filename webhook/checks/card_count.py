"""A card count must be a whole number in plain digits, from 1 to the dialect's maximum.

The count says over how many physical cards the memory and compute of a container are spread. It is text in a label
or an annotation, so that nothing but this check looks at it before the vendor's scheduler does: a count that the
scheduler cannot read leaves the pod Pending, and one that it reads differently (`02`, `+2`) gives other cards than
the manifest seems to say. The maximum is a setting (`dialects.<id>.max_cards`, 64); no vendor documents one.

Fields: pod label `volcano.sh/gpu-num` (Huawei), pod label `aliyun.com/gpu-count` (Alibaba), pod annotation
`vke.volcengine.com/container-multiple-gpu` (Volcengine, a list of counts).

Allowed: `1`, `2` … `64`, in ASCII digits, as text (in quotes). `0` only in Volcengine's list, for a container that
asks for nothing.

Source: Huawei Cloud CCE user guide, even distribution over several cards (cce_10_0965); Alibaba Cloud ACK, multi-GPU
sharing; Volcengine VKE, mGPU multi-card sharing. Kubernetes: values of labels and annotations are strings.

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
        limits:
          volcano.sh/gpu-mem.128Mi: "64"
```

FAIL:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: train
  labels:
    volcano.sh/gpu-num: "02"
spec:
  schedulerName: volcano
  containers:
    - name: app
      image: train:1
      resources:
        limits:
          volcano.sh/gpu-mem.128Mi: "64"
```
"""

import re
from collections.abc import Iterator

from webhook.core.finding import QUOTED_CHARACTERS, Complaint, quoted
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.share import GpuPod

# Digits of any script, with whatever else int() or a hurried hand lets through around them.
_ALMOST = re.compile(r"[\s+_]*(\d[\d_]*)(?:\.0*)?\s*")
# A list may have a wrong entry for every container; past that only its length is of interest.
_REPORTED_ENTRIES = 64


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    if gpu.count is None:
        yield from _whole_cards(gpu)
        return
    written, dialect = gpu.count.written, gpu.dialect
    if not isinstance(written, str):
        message = f"{quoted(written)} is not text; {dialect.count_place} must be strings"
        hint = f'write "{written}" in quotes' if type(written) is int and 0 < written <= dialect.max_cards else _example(gpu)
        yield Complaint(gpu.count.where, written, message, hint, figures=gpu.figures)
    elif dialect.count_is_list:
        wrong = [entry for entry, cards in zip(written.split(","), gpu.entries or (), strict=False) if cards is None and entry.strip()]
        yield from (_complaint(gpu, entry) for entry in wrong[: max(len(gpu.pod.containers), _REPORTED_ENTRIES)])
    elif gpu.count.value is None:
        yield _complaint(gpu, written)


def _whole_cards(gpu: GpuPod) -> Iterator[Complaint]:
    """Without a count for the pod, a resource may name the cards, or compute say how many it takes whole."""
    most = gpu.dialect.max_cards
    for share in gpu.shares:
        amount = share.amounts.get("cards")
        if amount is not None and amount.value is not None and amount.value > most:
            message = f"{quoted(amount.written)} is too many cards; must be from 1 to {most}"
            yield Complaint(amount.where, amount.written, message, f'write "{most}" or less', container=share.name, figures=share.figures)
        if share.core is not None and share.cards is not None and share.cards > most:
            message = f"{quoted(share.core.written)} takes {share.cards} cards whole; must be from 1 to {most}"
            yield Complaint(share.core.where, share.core.written, message, f'write "{100 * most}" or less', container=share.name)


def _complaint(gpu: GpuPod, entry: str) -> Complaint:
    most = gpu.dialect.max_cards
    number = _number_meant(entry)
    allowed = "1 or more, or 0 for a container that asks for nothing" if gpu.dialect.count_is_list else "1 or more"
    too_many = number is not None and number > most and entry.isascii()
    problem = f"is too many cards; must be from 1 to {most}" if too_many else f"is not a card count; must be plain digits, {allowed}"
    written = gpu.count.written if gpu.count else entry
    meant = _meant(gpu, entry, written)
    hint = f'write "{meant}"' if meant else _example(gpu)
    return Complaint(gpu.count.where if gpu.count else (), written, f"{quoted(entry)} {problem}", hint, figures=(entry,))


def _meant(gpu: GpuPod, entry: str, written: str) -> str | None:
    """Return what should stand in the place of `written`: the whole list where all its entries can be told, else the entry alone."""
    least = 0 if gpu.dialect.count_is_list else 1
    entries = written.split(",") if gpu.dialect.count_is_list else []
    numbers = [_number_meant(one) for one in (entries if len(entries) <= _REPORTED_ENTRIES else [])]
    known = [str(number) for number in numbers if number is not None and least <= number <= gpu.dialect.max_cards]
    if known and len(known) == len(entries):
        return ",".join(known)
    number = _number_meant(entry)
    return str(number) if number is not None and least <= number <= gpu.dialect.max_cards else None


def _number_meant(entry: str) -> int | None:
    """Return the number that a text almost spells; the beginning of a long one will do."""
    almost = _ALMOST.fullmatch(entry[:QUOTED_CHARACTERS])
    return int(almost[1].replace("_", "")) if almost else None


def _example(gpu: GpuPod) -> str:
    if gpu.dialect.count_is_list:
        return f'write one count from 1 to {gpu.dialect.max_cards} for each container, such as "2" for one or "2,0" for two'
    return f'write a number from 1 to {gpu.dialect.max_cards}, such as "2", or leave it out for one card'


CHECK = Check(id="card-count", page=__doc__, run=_run, needs=Need.UNFIT)
