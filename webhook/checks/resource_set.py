"""A container must ask for a set of keys that its stack knows: memory once, and with it what the stack wants beside it.

The stacks that take memory in MiB or as a percentage of the card take one of the two. Where both are set HAMi obeys the one
and Volcano vGPU the other, Koordinator refuses the pod. Compute alone asks for nothing under Volcano vGPU, and Koordinator
and Baidu refuse it; Baidu wants the card count beside everything. A card count alone is no request under KAI.

Fields: the resources of each container for HAMi, Volcano vGPU, Koordinator, Baidu and Volcano gpushare; the pod's
annotations for KAI.

Allowed: the sets on the page of each dialect.

Settings: `dialects.hami.enabled: true`

Source: Project-HAMi/HAMi `pkg/device/nvidia/device.go`; volcano-sh/volcano `pkg/scheduler/api/devices/nvidia/vgpu`;
koordinator-sh/koordinator `pkg/webhook/pod/validating`; NVIDIA/KAI-Scheduler, GPU sharing; Baidu AI Cloud CCE, multi-GPU sharing.

PASS:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  schedulerName: hami-scheduler
  containers:
    - name: app
      image: infer:1
      resources:
        limits: {nvidia.com/gpu: 2, nvidia.com/gpumem: 4096, nvidia.com/gpucores: 15}
```

FAIL:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  schedulerName: hami-scheduler
  containers:
    - name: app
      image: infer:1
      resources:
        limits: {nvidia.com/gpu: 2, nvidia.com/gpumem: 4096, nvidia.com/gpumem-percentage: 50}
```
"""

from collections.abc import Iterable, Iterator

from webhook.core.finding import Complaint, quoted
from webhook.core.plugin import Check, Dialect
from webhook.core.share import GpuPod, GpuShare, Sourced
from webhook.core.wording import either

_SIZES = ("memory", "memory_percent")


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    sets = gpu.dialect.resource_sets
    for share in gpu.shares:
        if frozenset(share.amounts) not in sets:
            yield _complaint(gpu, share)


def _complaint(gpu: GpuPod, share: GpuShare) -> Complaint:
    *_, last = [amount for amount in (gpu.count, *share.amounts.values()) if amount is not None]
    asked = " and ".join(_key(amount) for amount in share.amounts.values()) or _key(last)
    twice = all(size in share.amounts for size in _SIZES)
    rule = "memory must be asked for once" if twice else f"{gpu.dialect.title} knows no such request"
    hint = f"leave {either(_key(share.amounts[size]) for size in _SIZES)} out" if twice else _hint(gpu.dialect, share)
    return Complaint(last.where, last.written, f"asks for {asked}; {rule}", hint, container=share.name, figures=tuple(share.amounts))


def _key(amount: Sourced) -> str:
    return str(amount.where[-1])


def _hint(dialect: Dialect, share: GpuShare) -> str:
    """Return what to add where that makes it a request, else what to leave out."""
    asked = frozenset(share.amounts)
    lacking = [wanted - asked for wanted in dialect.resource_sets if wanted > asked]
    least = min(map(len, lacking), default=0)
    if least:
        return f"add {either(_listed(dialect, keys) for keys in lacking if len(keys) == least)}"
    kept = max((wanted & asked for wanted in dialect.resource_sets), key=len)
    surplus = [quoted(_key(share.amounts[role])) for role in share.amounts if role not in kept]
    return f"leave {' and '.join(surplus)} out"


def _listed(dialect: Dialect, roles: Iterable[str]) -> str:
    return " and ".join(dialect.resources[role] for role in sorted(roles))


CHECK = Check(id="resource-set", page=__doc__, run=_run, concerns=lambda dialect: bool(dialect.resource_sets))
