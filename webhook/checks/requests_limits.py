"""A request for a share must equal its limit, and must not stand alone.

A share cannot be overcommitted: Kubernetes wants request and limit of such a key to be the same, and copies a missing
request from the limit, in pods. In the templates of custom resources nobody looks before the pods are made; percard
does. The limits count: that is what the vendors detect a share by.

Fields: the sharing keys under `resources.requests` of each container, compared with `resources.limits`.

Allowed: a limit alone; both with the same number, however spelt (`4096` and `4Ki`).

Source: Kubernetes, extended resources (`pkg/apis/core/validation`): must be equal to the limit, limit must be set;
Volcengine VKE, mGPU multi-card sharing: requests repeat the limits.

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
        requests: {volcano.sh/gpu-mem.128Mi: "64"}
        limits: {volcano.sh/gpu-mem.128Mi: "64"}
```

FAIL:

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
        requests: {volcano.sh/gpu-mem.128Mi: "32"}
        limits: {volcano.sh/gpu-mem.128Mi: "64"}
```
"""

from collections.abc import Iterator
from typing import Any

from webhook.core.finding import ABSENT, REQUIRED, Complaint, quoted, shown
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.pod import same
from webhook.core.quantity import UnparsableError, parse_quantity
from webhook.core.share import Ask, GpuPod


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    for share in gpu.shares:
        if share.ask.requests:
            yield from _compare(gpu, share.ask)


def _compare(gpu: GpuPod, ask: Ask) -> Iterator[Complaint]:
    for role, request in ask.requests.items():
        limit = ask.limits.get(role, ABSENT)
        if same(limit, request):
            continue
        key = gpu.dialect.resources[role]
        if limit is ABSENT:
            message = f"the request {quoted(request)} has no limit; a request must equal its limit"
            where = (*ask.where, "resources", "limits", key)
            hint = f"add {key}: {quoted(request)} to limits"
            yield Complaint(where, ABSENT, message, hint, REQUIRED, ask.name, figures=(shown(request),))
        elif not _equal(request, limit):
            message = f"the request {quoted(request)} is not the limit {quoted(limit)}; a request must equal its limit"
            where = (*ask.where, "resources", "requests", key)
            hint = f"write {quoted(limit)}, or leave the request out"
            yield Complaint(where, request, message, hint, container=ask.name, figures=(shown(request), shown(limit)))


def _equal(request: Any, limit: Any) -> bool:
    """Say whether two quantities are the same number; an unreadable limit is the check `quantity`'s business."""
    try:
        wanted = parse_quantity(limit)
    except UnparsableError:
        return True
    try:
        return parse_quantity(request) == wanted
    except UnparsableError:
        return False


CHECK = Check(id="requests-limits", page=__doc__, run=_run, needs=Need.REQUESTS)
