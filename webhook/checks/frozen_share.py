"""What a pod shares must not change once it has a node.

The scheduler chose the cards by the labels, annotations and resources that the pod had when it was bound; nothing moves
it afterwards. A changed count would only make the books of the scheduler wrong: after its next restart it would
read the new figures and give the rest of the cards away. Before the pod has a node a repair is welcome and is checked
in full. Pods only: a workload's template may change at any time, its new pods are scheduled anew.

Fields: the card count, policy and placement in the pod's labels and annotations, and the sharing keys in the resources
of each container, compared with the pod before the UPDATE.

Allowed: everything else; another spelling of the same number; a list that gives each container, by name, the same
cards. The remedy is to delete the pod and create it anew.

Source: Kubernetes lets labels and annotations of a running pod change. The schedulers of all three vendors read
them back when they rebuild their caches (volcano-sh/volcano pull request 3030, the ACK gpushare plugin).

The manifests show the pod before and after an UPDATE.

PASS:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: train
  labels: {volcano.sh/gpu-num: "2"}
spec:
  nodeName: gpu-node-1
  schedulerName: volcano
  containers:
    - name: app
      image: train:1
      resources:
        limits: {volcano.sh/gpu-mem.128Mi: "64"}
---
apiVersion: v1
kind: Pod
metadata:
  name: train
  labels: {volcano.sh/gpu-num: "2", team: vision}
spec:
  nodeName: gpu-node-1
  schedulerName: volcano
  containers:
    - name: app
      image: train:2
      resources:
        limits: {volcano.sh/gpu-mem.128Mi: "64"}
```

FAIL:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: train
  labels: {volcano.sh/gpu-num: "2"}
spec:
  nodeName: gpu-node-1
  schedulerName: volcano
  containers:
    - name: app
      image: train:1
      resources:
        limits: {volcano.sh/gpu-mem.128Mi: "64"}
---
apiVersion: v1
kind: Pod
metadata:
  name: train
  labels: {volcano.sh/gpu-num: "4"}
spec:
  nodeName: gpu-node-1
  schedulerName: volcano
  containers:
    - name: app
      image: train:1
      resources:
        limits: {volcano.sh/gpu-mem.128Mi: "64"}
```
"""

from collections.abc import Iterator
from typing import Any

from webhook.core.finding import ABSENT, FORBIDDEN, Complaint, quoted
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.pod import same
from webhook.core.share import GpuPod, GpuShare, Sourced


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    old = gpu.old
    if old is None or old.pod.spec.get("nodeName") in (None, "") or not old.shares:
        return
    yield from _pod_keys(gpu, old)
    before = {share.name: share for share in old.shares}
    for share in gpu.shares:
        yield from _amounts(gpu, share, before.get(share.name))


def _pod_keys(gpu: GpuPod, old: GpuPod) -> Iterator[Complaint]:
    for key, place in gpu.dialect.pod_keys.items():
        now, then = gpu.pod.keys_in(place).get(key, ABSENT), old.pod.keys_in(place).get(key, ABSENT)
        if not same(now, then) and not (key == gpu.dialect.count_key and _same_cards(gpu, old)):
            yield _complaint(("metadata", place, key), now, then)


def _same_cards(gpu: GpuPod, old: GpuPod) -> bool:
    """Say whether both counts give every container, by name, the same cards."""
    cards = {share.name: share.cards for share in gpu.shares}
    return None not in cards.values() and cards == {share.name: share.cards for share in old.shares}


def _amounts(gpu: GpuPod, share: GpuShare, before: GpuShare | None) -> Iterator[Complaint]:
    for role, key in gpu.dialect.resources.items():
        now, then = share.amounts.get(role), before.amounts.get(role) if before else None
        if _same_amount(now, then):
            continue
        where = now.where if now else (*share.ask.where, "resources", "limits", key)
        complaint = _complaint(where, now.written if now else ABSENT, then.written if then else ABSENT)
        complaint.container = share.name
        yield complaint


def _same_amount(now: Sourced | None, then: Sourced | None) -> bool:
    if now is None or then is None:
        return now is then
    return now.value == then.value and (now.value is not None or same(now.written, then.written))


def _change(now: Any, then: Any) -> str:
    if now is ABSENT:
        return f"{quoted(then)} must not be removed"
    return f"{quoted(now)} must not be added" if then is ABSENT else f"{quoted(then)} must not become {quoted(now)}"


def _complaint(where: tuple[str | int, ...], now: Any, then: Any) -> Complaint:
    message = f"{_change(now, then)}: the pod has had its cards since it was given a node; {where[-1]} must stay as it is"
    hint = f"{'leave it out' if then is ABSENT else f'keep {quoted(then)}'}, or delete the pod and create it anew"
    return Complaint(where, now, message, hint, FORBIDDEN)


CHECK = Check(id="frozen-share", page=__doc__, run=_run, needs=Need.OLD)
