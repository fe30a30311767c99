"""On Alibaba all containers of a pod that ask must ask for the same keys, at most two, and the placement must be a known one.

The containers of a pod sit on the same cards, and a node offers one set of keys: memory, or memory and compute. Containers
that ask for different sets fit no node, nor does one that asks for three. The label `ack.gpushare.placement` has a single
value; any other is refused by the scheduler, and the pod stays Pending.

Fields: `aliyun.com/gpu-mem`, `aliyun.com/gpu-core.percentage` and `aliyun.com/gpu-core.tflops` in the limits of each
container; pod label `ack.gpushare.placement`.

Allowed: containers that ask for nothing beside others that ask; `ack.gpushare.placement: require-whole-device` or no label.

Source: the ACK gpushare scheduler plugin; Alibaba Cloud, developer.aliyun.com article 1685728.

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
    - name: encoder
      image: encoder:1
      resources:
        limits: {aliyun.com/gpu-mem: "2", aliyun.com/gpu-core.percentage: "20"}
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
        limits: {aliyun.com/gpu-mem: "8", aliyun.com/gpu-core.percentage: "30"}
    - name: encoder
      image: encoder:1
      resources:
        limits: {aliyun.com/gpu-mem: "2"}
```
"""

from collections.abc import Iterator

from webhook.core.finding import NOT_SUPPORTED, Complaint, quoted
from webhook.core.plugin import Check
from webhook.core.share import GpuPod, GpuShare
from webhook.core.wording import either

MOST_KEYS = 2


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    if not gpu.shares:
        return
    first = gpu.shares[0]
    for share in gpu.shares:
        if len(share.amounts) > MOST_KEYS and not gpu.dialect.resource_sets:
            yield _too_many(gpu, share)
        if share.amounts.keys() != first.amounts.keys():
            yield _different(gpu, share, first)
    yield from _placement(gpu)


def _too_many(gpu: GpuPod, share: GpuShare) -> Complaint:
    *_, last = share.amounts.values()
    message = f"asks for {_keys(gpu, share)}; must ask for at most two of them"
    return Complaint(last.where, last.written, message, f"leave {last.where[-1]} out", container=share.name, figures=tuple(share.amounts))


def _different(gpu: GpuPod, share: GpuShare, first: GpuShare) -> Complaint:
    amount = next((share.amounts[role] for role in share.amounts if role not in first.amounts), next(iter(share.amounts.values())))
    others = f"container {quoted(first.name)} asks for {_keys(gpu, first)}"
    message = f"asks for {_keys(gpu, share)}, but {others}; all containers that ask must ask for the same keys"
    figures = (*share.amounts, "/", *first.amounts)
    return Complaint(amount.where, amount.written, message, "ask for the same keys in both", container=share.name, figures=figures)


def _keys(gpu: GpuPod, share: GpuShare) -> str:
    return " and ".join(gpu.dialect.resources[role] for role in share.amounts)


def _placement(gpu: GpuPod) -> Iterator[Complaint]:
    key = gpu.dialect.placement_key
    if key is not None and key in gpu.pod.labels and gpu.pod.labels[key] not in gpu.dialect.placement_values:
        written = gpu.pod.labels[key]
        allowed = either(f'"{value}"' for value in gpu.dialect.placement_values)
        message = f"{quoted(written)} is not an allowed placement; the label {key} must be {allowed}"
        yield Complaint(("metadata", "labels", key), written, message, f"write {allowed}, or leave the label out", NOT_SUPPORTED)


CHECK = Check(id="same-resources", page=__doc__, run=_run, concerns=lambda dialect: dialect.containers_share_cards)
