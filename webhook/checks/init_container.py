"""An init container or native sidecar must not ask for a share: none of the three vendors gives it one.

The vendors' schedulers look at `spec.containers` only. Kubernetes itself would still hold back the amount on the node, so
that the pod waits for memory that nobody will hand to it, and the init container runs without a card or on all of them.

Fields: the sharing keys in the resources of `spec.initContainers[*]`, with `restartPolicy: Always` (a native sidecar)
or without.

Allowed: shares under `spec.containers`; init containers with any other resource.

Source: Huawei Cloud CCE user guide, using GPU virtualization (cce_10_0646): not in init containers; the code of
volcano-sh/volcano pull request 3030 and of the ACK gpushare plugin reads `spec.containers` alone.

PASS:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  schedulerName: volcano
  initContainers:
    - name: fetch
      image: fetch:1
      resources:
        limits: {memory: 512Mi}
  containers:
    - name: app
      image: infer:1
      resources:
        limits: {volcano.sh/gpu-mem.128Mi: "32"}
```

FAIL:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  schedulerName: volcano
  initContainers:
    - name: warm-up
      image: infer:1
      resources:
        limits: {volcano.sh/gpu-mem.128Mi: "32"}
  containers:
    - name: app
      image: infer:1
      resources:
        limits: {volcano.sh/gpu-mem.128Mi: "32"}
```
"""

from collections.abc import Iterator

from webhook.core.finding import FORBIDDEN, Complaint
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.share import Ask, GpuPod


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    for ask in gpu.init_asks:
        bag, written = ("limits", ask.limits) if ask.limits else ("requests", ask.requests)
        keys = [gpu.dialect.resources[role] for role in written]
        message = f"is {_kind(ask)}, to which {gpu.dialect.title} allocates no share; {' and '.join(keys)} must not be set"
        value = next(iter(written.values()))
        yield Complaint(
            (*ask.where, "resources", bag, keys[0]), value, message, "ask for the share in spec.containers", FORBIDDEN, ask.name
        )


def _kind(ask: Ask) -> str:
    if ask.container.get("restartPolicy") == "Always":
        return "a native sidecar (an init container with restartPolicy Always)"
    return "an init container"


CHECK = Check(id="init-container", page=__doc__, run=_run, concerns=lambda dialect: not dialect.init_containers_share, needs=Need.INIT)
