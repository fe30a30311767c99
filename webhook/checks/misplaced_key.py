"""A card count or policy should stand on the pod, where the vendor reads it, and beside a container that asks for a share.

The count is a label of the pod on Huawei and Alibaba, an annotation of the pod on Volcengine. Anywhere else it is read by
nobody: the pod then runs on one card with all the memory that was meant for several. In a workload (Deployment,
Job …) it belongs under the pod template, not at the top. Only a warning, because the pod itself is valid.

Fields: the count, policy and placement keys in labels and annotations of the pod, of the pod template and of the workload,
and in the resources of each container.

Allowed: label `volcano.sh/gpu-num`; labels `aliyun.com/gpu-count` and `ack.gpushare.placement`; annotations
`vke.volcengine.com/container-multiple-gpu` and `vke.volcengine.com/mgpu-compute-policy`. The workload, and the pod's other
annotations or labels, may repeat them with the same value.

Source: Huawei Cloud CCE user guide, even distribution (cce_10_0965): the labels of the pod template; Alibaba Cloud ACK,
multi-GPU sharing; Volcengine VKE, mGPU multi-card sharing.

PASS:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: train
  labels:
    aliyun.com/gpu-count: "2"
spec:
  containers:
    - name: app
      image: train:1
      resources:
        limits: {aliyun.com/gpu-mem: "8"}
```

FAIL:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: train
  annotations:
    aliyun.com/gpu-count: "2"
spec:
  containers:
    - name: app
      image: train:1
      resources:
        limits: {aliyun.com/gpu-mem: "8"}
```
"""

from collections.abc import Iterator
from typing import Any

from webhook.core.finding import ABSENT, Complaint, quoted
from webhook.core.needs import Need
from webhook.core.plugin import Check, Place
from webhook.core.pod import mapping, same, text_of
from webhook.core.share import GpuPod
from webhook.core.wording import either

OTHER: dict[Place, Place] = {"labels": "annotations", "annotations": "labels"}


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    for key, where, written, container in gpu.survey.misplaced.get(gpu.dialect.id, ()):
        complaint = _complaint(gpu, where, "a container's resources", written, gpu.dialect.pod_keys[key])
        complaint.container = container
        yield complaint
    for key, place in gpu.dialect.pod_keys.items():
        yield from _in_wrong_place(gpu, key, place)
        if not gpu.marked and key in gpu.pod.keys_in(place):
            written = gpu.pod.keys_in(place)[key]
            message = f"{quoted(written)} has no effect: no container asks for {_wanted(gpu)}"
            yield Complaint(("metadata", place, key), written, message, "add the resource to a container's limits, or remove the key")


def _in_wrong_place(gpu: GpuPod, key: str, place: Place) -> Iterator[Complaint]:
    """Complain of a key elsewhere; beside one in its place only where the two contradict each other."""
    right = gpu.pod.keys_in(place).get(key, ABSENT)
    other = OTHER[place]
    written = gpu.pod.keys_in(other).get(key, ABSENT)
    if written is not ABSENT and not same(written, right):
        yield _complaint(gpu, ("metadata", other, key), f"the pod's {other}", written, place)
    if gpu.pod.is_template:
        owner = gpu.pod.owner_metadata
        for found in (place, other):
            written = mapping(owner.get(found)).get(key, ABSENT)
            if written is not ABSENT and not same(written, right):
                kind = text_of(gpu.pod.owner.get("kind"))
                complaint = _complaint(gpu, ("metadata", found, key), f"the {found} of the {kind}", written, place)
                complaint.of_owner = True
                yield complaint


def _complaint(gpu: GpuPod, where: tuple[str | int, ...], found: str, written: Any, place: Place) -> Complaint:
    pod = "pod template" if gpu.pod.is_template else "pod"
    right = gpu.pod.keys_in(place).get(str(where[-1]), ABSENT)
    if right is ABSENT:
        message = f"{where[-1]} in {found} has no effect; it must be {article_for(place)} of the {pod}"
        return Complaint(where, written, message, f"move it to metadata.{place} of the {pod}")
    message = f"{where[-1]} in {found} has no effect; {article_for(place)} of the {pod} says {quoted(right)}, and that counts"
    return Complaint(where, written, message, f"remove it here, or write {quoted(right)} here, too")


def article_for(place: Place) -> str:
    """Return what one entry of a place is called."""
    return "a label" if place == "labels" else "an annotation"


def _wanted(gpu: GpuPod) -> str:
    return either(gpu.dialect.resources.values())


CHECK = Check(id="misplaced-key", page=__doc__, run=_run, needs=Need.NOTHING, severity="warning")
