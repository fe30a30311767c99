"""A new pod that shares must not name its node: that binds it past the scheduler, which then allocates no cards.

With `spec.nodeName` the kubelet of that node starts the pod at once. No scheduler sees it, none books its cards, and the
vendor's device plugin either fails the container or gives it a card that others have. A running pod has the field from
its scheduler, so that only creation is checked.

Fields: `spec.nodeName` of the pod or pod template.

Allowed: `nodeSelector`, node affinity, tolerations.

Source: Kubernetes, assigning pods to nodes (nodeName).

PASS:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  nodeSelector:
    kubernetes.io/hostname: gpu-node-1
  containers:
    - name: app
      image: infer:1
      resources:
        limits: {aliyun.com/gpu-mem: "4"}
```

FAIL:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  nodeName: gpu-node-1
  containers:
    - name: app
      image: infer:1
      resources:
        limits: {aliyun.com/gpu-mem: "4"}
```
"""

from collections.abc import Iterator

from webhook.core.finding import FORBIDDEN, Complaint, quoted
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.share import GpuPod


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    node = gpu.pod.spec.get("nodeName")
    if node not in (None, ""):
        message = f"nodeName {quoted(node)} binds the pod past every scheduler, so that none allocates its cards; nodeName must not be set"
        hint = "choose the node with nodeSelector, such as kubernetes.io/hostname"
        yield Complaint((*gpu.pod.spec_at, "nodeName"), node, message, hint, FORBIDDEN)


CHECK = Check(id="scheduler-bypass", page=__doc__, run=_run, needs=Need.CREATING)
