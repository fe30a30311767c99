"""The scheduler name must be absent, the default, or that of a scheduler that knows the dialect's keys.

Only the vendor's scheduler reads the card count. Huawei's is `volcano`, and percard's mutating webhook writes that name
where none is given; on Volcengine and Alibaba the cluster's default scheduler is the vendor's own. Any other scheduler
sees a plain quantity and places the pod without its cards. When a new Huawei pod reaches the validating webhook without
the name, the mutating webhook did not run, and the pod is refused rather than lost.

Fields: `spec.schedulerName` of the pod or pod template.

Allowed: no name, `default-scheduler`, the dialect's (`dialects.<id>.scheduler_name`), and those a site accepts
(`dialects.<id>.accepted_schedulers`; on Volcengine `volcano`). What happens to another name is the setting
`foreign_scheduler`: `deny`, `warn` or `override`.

Source: Huawei Cloud CCE user guide, using GPU virtualization (cce_10_0646): the scheduler is Volcano and cannot be
changed; the examples of Volcengine VKE and Alibaba Cloud ACK name none.

PASS:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  schedulerName: volcano
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
  schedulerName: team-scheduler
  containers:
    - name: app
      image: infer:1
      resources:
        limits: {volcano.sh/gpu-mem.128Mi: "32"}
```
"""

from collections.abc import Iterator

from webhook.core.finding import ABSENT, Complaint, quoted
from webhook.core.limits import is_exact
from webhook.core.patch import DEFAULT_SCHEDULER, UNSET_SCHEDULERS
from webhook.core.plugin import Check
from webhook.core.share import GpuPod, Stage
from webhook.core.wording import either


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    name = gpu.pod.spec.get("schedulerName")
    known = (gpu.dialect.scheduler_name, *gpu.dialect.accepted_schedulers)
    if gpu.others or name in known or (name in UNSET_SCHEDULERS and DEFAULT_SCHEDULER in known):
        return  # which scheduler is right is open while the pod is written in two dialects
    if name in UNSET_SCHEDULERS or gpu.rules.foreign_scheduler == "override":
        final = gpu.stage in (Stage.VALIDATE, Stage.LIVE) and not gpu.pod.is_template
        if gpu.shares and gpu.sound and final and not _is_to_be_rewritten(gpu):
            yield _not_mutated(gpu, name)
    else:
        message = (
            f"{quoted(name)} does not know the keys of {gpu.dialect.title}; schedulerName must be {either([*map(quoted, known), 'absent'])}"
        )
        complaint = _complaint(gpu, name, message, f"write {quoted(known[0])}, or leave schedulerName out")
        complaint.severity = "warning" if gpu.rules.foreign_scheduler == "warn" else None
        yield complaint


def _is_to_be_rewritten(gpu: GpuPod) -> bool:
    """With another dialect as the target, a pod that came past the mutating webhook is the business of `target-dialect`."""
    return gpu.rules.target is not None and gpu.rules.target.id != gpu.dialect.id


def _not_mutated(gpu: GpuPod, name: object) -> Complaint:
    """Refuse what another scheduler would take: it ignores the card count."""
    wanted = gpu.dialect.scheduler_name
    ran = "did not run for this pod" if is_exact(gpu) else "patches no pod whose shares do not divide into whole figures"
    ignored = f"the scheduler {quoted(name or DEFAULT_SCHEDULER)} would ignore its {_ignored(gpu)}"
    message = f"percard's mutating webhook {ran}, so that {ignored}; schedulerName must be {quoted(wanted)}"
    again = "create the pod again once the webhook is back, or " if is_exact(gpu) else ""
    complaint = _complaint(gpu, name, message, f"{again}write schedulerName: {wanted}")
    # A pod that is there already cannot be refused, but whoever checks a cluster wants to know.
    complaint.severity = "warning" if gpu.stage is Stage.LIVE else None
    return complaint


def _ignored(gpu: GpuPod) -> str:
    if gpu.count is not None:
        return gpu.dialect.count_key
    return next(str(amount.where[-1]) for share in gpu.shares for amount in share.amounts.values())


def _complaint(gpu: GpuPod, name: object, message: str, hint: str) -> Complaint:
    return Complaint((*gpu.pod.spec_at, "schedulerName"), ABSENT if name is None else name, message, hint)


CHECK = Check(id="scheduler-conflict", page=__doc__, run=_run, last=True)
