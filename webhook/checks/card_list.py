"""The list of card counts must have one entry per container: 1 or more for each that asks for a share, 0 for the others.

Volcengine's list goes by position: its first entry belongs to the first container under `spec.containers`, and so on;
init containers are not counted. A list that is too short, or an entry that stands at another container's place, gives
the cards to the wrong container or has the pod refused. Where another webhook has added a sidecar, percard's mutating
webhook adds the missing 0 itself as long as it is certain whose entry is whose; in a file the list must be right.

Fields: pod annotation `vke.volcengine.com/container-multiple-gpu`.

Allowed: as many counts as there are containers, joined by commas without blanks, such as `"2,0,1"`.

Source: Volcengine VKE, mGPU multi-card sharing; the admission code in volcano-sh/volcano pull request 3030.

PASS:

```yaml
apiVersion: v1
kind: Pod
metadata:
  name: train
  annotations:
    vke.volcengine.com/container-multiple-gpu: "2,0"
    vke.volcengine.com/mgpu-compute-policy: native-burst-share
spec:
  containers:
    - name: app
      image: train:1
      resources:
        limits: {vke.volcengine.com/mgpu-memory: "4096", vke.volcengine.com/mgpu-core: "30"}
    - name: log-shipper
      image: log-shipper:1
```

FAIL:

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
    - name: log-shipper
      image: log-shipper:1
```
"""

from collections.abc import Iterator

from webhook.core.finding import Complaint, quoted
from webhook.core.needs import Need
from webhook.core.plugin import Check
from webhook.core.pod import text_of
from webhook.core.reading import card_count
from webhook.core.share import GpuPod, Stage

_NAMED = 8


def _run(gpu: GpuPod) -> Iterator[Complaint]:
    if gpu.count is None or not isinstance(gpu.count.written, str):
        return
    if gpu.repaired is not None and gpu.stage is Stage.MUTATE:
        return  # the patch brings it in order
    mistakes = list(_mistakes(gpu, gpu.count.written))
    hint = _hint(gpu) if mistakes else ""
    for message, name in mistakes:
        yield Complaint(gpu.count.where, gpu.count.written, message, hint, container=name, figures=(name, gpu.count.written))


def _mistakes(gpu: GpuPod, written: str) -> Iterator[tuple[str, str | None]]:
    """Yield messages, each with the container that it is about."""
    entries = written.split(",")
    if any(entry != entry.strip() or not entry for entry in entries):
        yield f"{quoted(written)} has blanks or empty entries; must be one count per container, joined by commas only", None
    if len(entries) != len(gpu.pod.containers):
        yield _length(gpu, written, len(entries)), None
    elif gpu.entries is not None:
        yield from _mismatches(gpu, gpu.entries)


def _length(gpu: GpuPod, written: str, entries: int) -> str:
    count = len(gpu.pod.containers)
    containers = "1 container" if count == 1 else f"{count} containers"
    listed = "1 entry" if entries == 1 else f"{entries} entries"
    return f"{quoted(written)} has {listed} for {containers} ({_names(gpu)}); must have one entry per container, in their order"


def _names(gpu: GpuPod) -> str:
    names = [quoted(container.get("name")) for _, container in gpu.pod.containers[:_NAMED]]
    more = len(gpu.pod.containers) - len(names)
    return ", ".join([*names, f"{more} more"] if more > 0 else names)


def _mismatches(gpu: GpuPod, entries: list[int | None]) -> Iterator[tuple[str, str | None]]:
    asking = {share.ask.where for share in gpu.shares}
    for entry, (where, container) in zip(entries, gpu.pod.containers, strict=True):
        name = text_of(container.get("name")) or None
        if entry == 0 and where in asking:
            yield "its entry in the list is 0, but the container asks for a share; must be 1 or more", name
        elif entry and where not in asking:
            yield f"its entry in the list is {entry}, but the container asks for nothing; must be 0", name


def _hint(gpu: GpuPod) -> str:
    """Return the list with the entries ≥ 1 given to the containers that ask, where that is certain."""
    asking = dict.fromkeys(share.ask.where for share in gpu.shares)
    counts = [entry for entry in _counts_meant(gpu) if entry != 0]
    if len(counts) != len(asking) or None in counts:
        zeros = ["N" if where in asking else "0" for where, _ in gpu.pod.containers]
        return f'write "{",".join(zeros)}" with a number of cards for each N' if len(zeros) <= _NAMED else ""
    given = dict(zip(asking, counts, strict=True))
    text = ",".join(str(given.get(where, 0)) for where, _ in gpu.pod.containers)
    return f'write "{text}"'


def _counts_meant(gpu: GpuPod) -> list[int | None]:
    """Return the counts of the list without blanks and empty entries, None where one spells no count."""
    texts = [text.strip() for text in text_of(gpu.count and gpu.count.written).split(",")]
    return [0 if text == "0" else card_count(text, gpu.dialect.max_cards) for text in texts if text]


CHECK = Check(id="card-list", page=__doc__, run=_run, concerns=lambda dialect: dialect.count_is_list, needs=Need.UNFIT)
