"""A new pod must not bring along keys that only schedulers and device plugins write.

The schedulers write into the pod which cards it has, and read that back when they restart. Whoever sets such a key
beforehand makes the scheduler believe in cards that were never given, or is put on a card of somebody else's. It
mostly happens by copying the YAML of a running pod. Later the schedulers write these keys themselves, so that only
creation is checked.

Fields: labels and annotations of the pod, and the names under `env` of each container that shares.

Allowed: everything but `vke.volcengine.com/assumed`, `vke.volcengine.com/gpu-index-container-*`, the `volcano.sh/` keys
of allocation (`gpu-index`, `predicate-time`, `bind-*` …), `scheduler.framework.gpushare.*`, `gpushare.alibabacloud.com/*`,
`ALIYUN_COM_GPU_MEM_*`, and what HAMi, Koordinator and Run:ai write likewise.

Source: the scheduler code in volcano-sh/volcano (pull request 3030 and the device plugins), the ACK gpushare plugin,
AliyunContainerService/gpushare-scheduler-extender, Project-HAMi/HAMi, koordinator-sh/koordinator.

PASS:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: infer
  annotations:
    team: vision
spec:
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
  annotations:
    scheduler.framework.gpushare.allocation: '{"0":{"3":4}}'
spec:
  containers:
    - name: app
      image: infer:1
      resources:
        limits: {aliyun.com/gpu-mem: "4"}
```
"""

from collections.abc import Iterator, Mapping
from typing import Any

from webhook.core.finding import FORBIDDEN, Complaint
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.pod import Where, sequence
from webhook.core.share import GpuPod


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    for place, keys in (("annotations", gpu.pod.annotations), ("labels", gpu.pod.labels)):
        for key in gpu.reserved.among(keys) if keys else ():
            yield _complaint(("metadata", place, key), key)
    for share in gpu.shares:
        if share.ask.container.get("env"):
            yield from _in_environment(gpu, (*share.ask.where, "env"), share.ask.container, share.name)


def _in_environment(gpu: GpuPod, where: Where, container: Mapping[str, Any], name: str | None) -> Iterator[Complaint]:
    for index, entry in enumerate(sequence(container.get("env"))):
        variable = entry.get("name") if isinstance(entry, dict) else None
        if isinstance(variable, str) and variable in gpu.reserved:
            complaint = _complaint((*where, index, "name"), variable)
            complaint.container = name
            yield complaint


def _complaint(where: Where, key: str) -> Complaint:
    """The value of the key is not echoed: it may hold anything."""
    message = f"{key} is written by the scheduler when it allocates cards; a new pod must not bring it along"
    return Complaint(where, key, message, "remove it (a copied pod keeps such keys of the original)", FORBIDDEN)


CHECK = Check(id="reserved-key", page=__doc__, run=_run, needs=Need.CREATING)
