"""A share must ask for compute on Volcengine, which has no shares of memory alone.

mGPU on VKE takes a missing percentage for 0 and refuses the container. On Huawei and Alibaba compute may be left out:
the containers on a card then take turns.

Fields: `vke.volcengine.com/mgpu-core` in the limits of each container that asks for memory.

Allowed: any percentage beside memory; 100 % for each card without memory takes the cards whole.

Source: Volcengine VKE, mGPU multi-card sharing; the admission code in volcano-sh/volcano pull request 3030.

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
        limits: {vke.volcengine.com/mgpu-memory: "4096", vke.volcengine.com/mgpu-core: "30"}
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
        limits: {vke.volcengine.com/mgpu-memory: "4096"}
```
"""

from collections.abc import Iterator

from webhook.core.arithmetic import valid_core
from webhook.core.finding import ABSENT, REQUIRED, Complaint
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.share import GpuPod


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    key = gpu.dialect.resources["core"]
    for share in gpu.shares:
        if share.core is None:
            where = (*share.ask.where, "resources", "limits", key)
            message = f"asks for memory without compute; {key} must be set"
            least = valid_core(gpu, 0, share.cards or 1)
            hint = f'add {key}: "{least[0]}" or more (percent, total over the cards)' if least else f"add {key} in percent"
            yield Complaint(where, ABSENT, message, hint, REQUIRED, share.name, figures=share.figures)


CHECK = Check(id="core-missing", page=__doc__, run=_run, concerns=lambda dialect: dialect.compute_required, needs=Need.UNFIT)
