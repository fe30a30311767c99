"""A container that shares should not be privileged, nor set variables that switch the isolation off.

A share is kept by a library or a driver that sits between the program and the card. A privileged container sees every
card of the node, and a few environment variables tell the runtime to show more cards or the isolation to stand aside.
Whoever sets them takes memory and compute that other pods were promised. Only a warning: there are images that cannot
do without.

Fields: `securityContext.privileged` and the names under `env` of each container that shares.

Allowed: `NVIDIA_VISIBLE_DEVICES` as `void` or `none`; Alibaba's `CGPU_DISABLE` as `false` or `0`, not empty;
HAMi's and Volcano vGPU's `CUDA_OVERSUBSCRIBE` likewise. A limit of `0` is none there.

Source: Alibaba Cloud ACK, disabling the isolation of GPU memory, and the cGPU README; NVIDIA container toolkit,
environment variables. Kubernetes: Pod Security Standards on privileged containers.

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
      env: [{name: NVIDIA_VISIBLE_DEVICES, value: void}]
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
  containers:
    - name: app
      image: infer:1
      env: [{name: CGPU_DISABLE, value: "true"}]
      resources:
        limits: {aliyun.com/gpu-mem: "4"}
```
"""

from collections.abc import Iterator
from typing import Any

from webhook.core.finding import Complaint
from webhook.core.plugin import Check, Dialect
from webhook.core.pod import mapping, sequence
from webhook.core.share import GpuPod, GpuShare

VISIBLE_DEVICES = "NVIDIA_VISIBLE_DEVICES"
# With these values the NVIDIA runtime injects no card of its own accord (NVIDIA container toolkit, "Environment variables").
NO_DEVICES = ("void", "none")
# An empty value is none of them: an API server drops it, and what a runtime makes of it is nowhere written.
OFF = ("0", "false", "False")


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    for share in gpu.shares:
        container = share.ask.container
        if mapping(container.get("securityContext")).get("privileged") is True:
            message = "is privileged: it sees every card of the node, whatever its share says"
            where = (*share.ask.where, "securityContext", "privileged")
            hint = "drop privileged, or run it in a pod without a share"
            yield Complaint(where, value=True, message=message, hint=hint, container=share.name)
        if container.get("env"):
            yield from _environment(gpu, share)


def _environment(gpu: GpuPod, share: GpuShare) -> Iterator[Complaint]:
    for index, entry in enumerate(sequence(share.ask.container.get("env"))):
        name = entry.get("name") if isinstance(entry, dict) else None
        if isinstance(name, str) and _lifts_isolation(name, entry.get("value"), gpu.dialect):
            message = f"sets {name}, which lifts the isolation of its share"
            yield Complaint((*share.ask.where, "env", index, "name"), name, message, _remedy(name), container=share.name)


def _remedy(name: str) -> str:
    return f'remove {name}, or set it to "void"' if name == VISIBLE_DEVICES else f"remove {name}"


def _lifts_isolation(name: str, value: Any, dialect: Dialect) -> bool:
    if name == VISIBLE_DEVICES:
        return value not in NO_DEVICES
    return name in dialect.isolation_switches and not (name in dialect.isolation_flags and value in OFF)


CHECK = Check(id="isolation-bypass", page=__doc__, run=_run, severity="warning")
