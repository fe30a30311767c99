"""A pod that shares cards must not also ask for whole cards under another key, such as `nvidia.com/gpu`.

Whole cards are handed out by another device plugin, on nodes that do not share: a node serves one of the two, so that
no node fits the pod and it stays Pending; where one does, the same card could be given out twice. A quantity of 0
counts as absent. Which keys mean whole cards is a setting (`whole_card_keys`).

Fields: `nvidia.com/gpu`, `amd.com/gpu`, `aliyun.com/gpu` and `nvidia.com/mig-*` in the limits and requests of every
container, init containers included.

Allowed: the keys of one sharing dialect and no whole-card key in the same pod.

Source: Huawei Cloud CCE user guide, even distribution (cce_10_0965): not compatible with `nvidia.com/gpu`; Alibaba
Cloud ACK, enable scheduling (191140): one mode for a node; Volcengine: the node label `vke.node.gpu.schedule` is
`mgpu` or `nvidia`.

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
        limits: {aliyun.com/gpu-mem: "4", nvidia.com/gpu: "0"}
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
        limits: {aliyun.com/gpu-mem: "4"}
    - name: encoder
      image: encoder:1
      resources:
        limits: {nvidia.com/gpu: "1"}
```
"""

from collections.abc import Iterator

from webhook.core.finding import FORBIDDEN, Complaint, quoted
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.share import GpuPod


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    reported = set()
    for key, where, written, container in gpu.survey.whole_cards:
        place = (*where[:-2], key)
        if place not in reported and key != gpu.dialect.resources.get("cards"):
            reported.add(place)
            message = f"{key} {quoted(written)} asks for whole cards in a pod that shares cards{_sharing(gpu)}; a pod must not ask for both"
            yield Complaint(where, written, message, f"remove {key}, or run it in a pod of its own", FORBIDDEN, container)


def _sharing(gpu: GpuPod) -> str:
    if not gpu.shares:
        return ""
    share = gpu.shares[0]
    return f" ({gpu.dialect.resources[next(iter(share.amounts))]} in container {quoted(share.name)})"


CHECK = Check(id="excluded-resource", page=__doc__, run=_run, needs=Need.WHOLE_CARDS)
