"""The compute policy must be one that Volcengine knows, and `native-burst-share` where there is a list of card counts.

The policy says how the containers on one card share its compute. A node pool carries exactly one, and the scheduler
places a pod only where the two agree. Sharing over several cards exists under `native-burst-share` alone; the
vendor's admission does not look at the policy, so that without this check the pod would stay Pending.

Fields: pod annotation `vke.volcengine.com/mgpu-compute-policy`.

Allowed: with `vke.volcengine.com/container-multiple-gpu` (even `"1"`) only `native-burst-share`. Without it
`fixed-share`, `guaranteed-burst-share`, `native-burst-share`, or no annotation, which is `fixed-share`.

Source: Volcengine VKE, mGPU multi-card sharing; the scheduler code in volcano-sh/volcano pull request 3030.

PASS:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: train
  annotations:
    vke.volcengine.com/container-multiple-gpu: "2"
    vke.volcengine.com/mgpu-compute-policy: native-burst-share
spec:
  containers:
    - name: app
      image: train:1
      resources:
        limits: {vke.volcengine.com/mgpu-memory: "4096", vke.volcengine.com/mgpu-core: "30"}
```

FAIL:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: train
  annotations:
    vke.volcengine.com/container-multiple-gpu: "2"
    vke.volcengine.com/mgpu-compute-policy: fixed-share
spec:
  containers:
    - name: app
      image: train:1
      resources:
        limits: {vke.volcengine.com/mgpu-memory: "4096", vke.volcengine.com/mgpu-core: "30"}
```
"""

from collections.abc import Iterator

from webhook.core.finding import ABSENT, NOT_SUPPORTED, REQUIRED, Complaint, quoted
from webhook.core.plugin import Check
from webhook.core.share import GpuPod
from webhook.core.wording import either


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    key = gpu.dialect.compute_policy_key
    if key is None or not gpu.shares:
        return
    written = gpu.pod.annotations.get(key, ABSENT)
    allowed = gpu.dialect.compute_policies if gpu.count is None else (gpu.dialect.multi_card_compute_policy or "",)
    if written in allowed or (written is ABSENT and gpu.count is None):
        return
    condition = f" where {gpu.dialect.count_key} is set" if gpu.count is not None else ""
    rule = f"the annotation {key} must be {either(map(quoted, allowed))}{condition}"
    message = f"no compute policy; {rule}" if written is ABSENT else f"{quoted(written)} is not an allowed compute policy; {rule}"
    reason = REQUIRED if written is ABSENT else NOT_SUPPORTED
    hint = "write one of them, or leave it out" if gpu.count is None else f'write {key}: "{allowed[0]}"'
    yield Complaint(("metadata", "annotations", key), written, message, hint, reason, figures=(gpu.count is None,))


CHECK = Check(id="compute-policy", page=__doc__, run=_run, concerns=lambda dialect: dialect.compute_policy_key is not None)
