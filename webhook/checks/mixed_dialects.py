"""A pod must be written in one vendor's dialect.

Each vendor's node offers its own keys and no others, so that a pod with keys of two fits no node. It is mostly a manifest
that was moved from one cloud to another and only half rewritten.

Fields: the sharing keys in the resources of all containers; the finding points at the second dialect and names the first.

Allowed: the keys of one of `vke.volcengine.com/mgpu-…`, `volcano.sh/gpu-…`, `aliyun.com/gpu-…`.

Source: Kubernetes: a pod is placed only where the node offers every extended resource that it asks for.

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
        limits: {aliyun.com/gpu-mem: "8"}
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
        limits: {aliyun.com/gpu-mem: "8", volcano.sh/gpu-mem.128Mi: "64"}
```
"""

from collections.abc import Iterator

from webhook.core.finding import FORBIDDEN, Complaint, quoted
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.pod import Where
from webhook.core.share import GpuPod


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    """Complain at a key of this dialect; the others complain at theirs."""
    for other in gpu.others[:1]:
        where, value, container = _first_key(gpu)
        first, _, first_container = _first_key(other)
        holder = "" if first_container is None else f" in container {quoted(first_container)}"
        beside = f"beside {first[-1]} of {other.dialect.title}{holder}"
        message = f"{where[-1]} is {gpu.dialect.title}'s, {beside}; a pod must be written in one dialect"
        yield Complaint(where, value, message, "keep the keys of the cloud that the pod is for, remove the others", FORBIDDEN, container)


def _first_key(gpu: GpuPod) -> tuple[Where, object, str | None]:
    if gpu.dialect.amount_place != "resources":
        key = next(key for key in gpu.dialect.pod_keys if key in gpu.pod.annotations)
        return ("metadata", "annotations", key), gpu.pod.annotations[key], None
    for ask in [share.ask for share in gpu.shares] + gpu.init_asks:
        for bag, written in (("limits", ask.limits), ("requests", ask.requests)):
            if written:
                # The first by name, as in a review: the API server sorts the keys.
                key, value = min((gpu.dialect.resources[role], value) for role, value in written.items())
                return (*ask.where, "resources", bag, key), value, ask.name
    first = gpu.survey.unknown[gpu.dialect.id][0]
    return first.where, first.written, None


CHECK = Check(id="mixed-dialects", page=__doc__, run=_run, needs=Need.OTHERS)
