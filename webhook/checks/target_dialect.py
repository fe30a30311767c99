"""A pod must be expressible in the dialect that the setting `target` names, and must have been rewritten when it is created.

With a target the mutating webhook writes every pod that shares GPUs in the target's keys, so that the limits which the node
enforces are the computed ones. What the target cannot say stands in the way: such a pod is left as it is and refused here,
with the reasons. A pod that could be rewritten and was not met the validating webhook alone.

Fields: whatever the pod asks for.

Allowed: what `percard convert --to` writes without loss; with `target_allow_loss` what it writes with losses.

Settings: `target: hami`

Source: the page of each dialect; docs/translation.md.

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
        limits: {vke.volcengine.com/mgpu-memory: 4096, vke.volcengine.com/mgpu-core: 30}
```

FAIL:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: infer
  labels:
    ack.gpushare.placement: require-whole-device
spec:
  containers:
    - name: app
      image: infer:1
      resources:
        limits: {aliyun.com/gpu-mem: 16}
```
"""

from collections.abc import Iterator

from webhook.core.finding import Complaint
from webhook.core.limits import is_exact
from webhook.core.needs import Need
from webhook.core.plugin import Check, Dialect
from webhook.core.share import GpuPod, Stage
from webhook.core.translation import drafted


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    target = gpu.rules.target
    if target is None or target.id == gpu.dialect.id or gpu.stage is Stage.MUTATE:
        return
    if not gpu.sound or gpu.others or not gpu.shares or not is_exact(gpu):
        return
    first = next(iter(gpu.shares[0].amounts.values()))
    obstacles = list(_obstacles(gpu, target))
    for text, container in obstacles:
        yield Complaint(first.where, first.written, text, container=container, figures=(text,))
    if not obstacles and gpu.stage is Stage.VALIDATE and not gpu.pod.is_template:
        message = f"percard's mutating webhook did not rewrite this pod for {target.title}; its nodes know no other keys"
        yield Complaint(first.where, first.written, message, "create the pod again once the webhook is back", figures=(target.id,))


def _obstacles(gpu: GpuPod, target: Dialect) -> Iterator[tuple[str, str | None]]:
    stops = ("impossible",) if gpu.rules.target_allow_loss else ("impossible", "lost")
    for remark in drafted(gpu, target).remarks:
        if remark.outcome in stops:
            yield f"cannot be written as {target.title}: {remark.text}", remark.container


CHECK = Check(id="target-dialect", page=__doc__, run=_run, needs=Need.CREATING, last=True)
