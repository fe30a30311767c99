"""Kubernetes DRA, consumable capacity: devices asked for by claims, per device; written, never read.

A `ResourceClaimTemplate` holds a request for each container, and the pod refers to it. Every amount is what one device
gives; the scheduler rounds it up to the steps of the driver.

| what | where | unit |
|---|---|---|
| cards | `exactly.count` of the container's request | a number; `distinctAttribute` makes them different devices |
| memory | `exactly.capacity.requests.memory` | bytes (`4Gi`) of each device |
| compute | `exactly.capacity.requests.cores` | percent of each device |

Consumable capacity is a feature gate of Kubernetes (`DRAConsumableCapacity`, alpha in 1.34, beta in 1.36). The names of the
capacities are the driver's: `memory` and `cores` are those of vgpu-manager, whose device class and driver are the defaults
of `device_class` and `device_driver`. NVIDIA's own driver publishes no capacity. A webhook cannot create the template beside
a pod, so that DRA is no `target`; `percard convert --to dra` writes both.

Sources: KEP-5075 (kubernetes/enhancements); coldzerofear/vgpu-manager, `example/dra` and `deploy/dra-local`.
"""

from typing import Any

from webhook.core.plugin import Dialect
from webhook.core.portions import WHOLE, Claim, Grant, Portion, bytes_text
from webhook.core.share import GpuPod
from webhook.core.writing import Draft


def _read(gpu: GpuPod) -> None:
    """Leave the pod as it is: what a claim asks for stands in another object."""


def _write(draft: Draft) -> None:
    dialect = draft.dialect
    draft.remark(
        "assumed",
        f"device class {dialect.device_class} of the driver {dialect.device_driver}: set dialects.dra.device_class and device_driver",
    )
    alone = len(draft.portions) == 1
    for number, portion in enumerate(draft.portions):
        name = "gpu" if alone else portion.name or f"gpu-{number}"
        draft.claims[portion.where] = Claim(name, _request(draft, portion))


def _request(draft: Draft, portion: Portion) -> dict[str, Any]:
    capacity: dict[str, str] = {}
    if portion.whole:
        draft.remark("assumed", "no capacity is requested: the driver's default must be the whole device", portion)
        draft.give(portion, {}, WHOLE)
    else:
        memory, core = draft.memory(portion), draft.core(portion)
        capacity = {"memory": bytes_text(memory or 0)} | ({} if core is None else {"cores": str(core)})
        draft.give(portion, {}, Grant(memory, None, core))
    exactly = {"deviceClassName": draft.dialect.device_class, "allocationMode": "ExactCount", "count": portion.cards}
    return exactly | ({"capacity": {"requests": capacity}} if capacity else {})


DIALECT = Dialect(
    id="dra",
    title="Kubernetes DRA",
    page=__doc__,
    resources={},
    amounts_per_card=True,
    families=(),
    isolation={
        "memory": "the driver's business",
        "compute": "the driver's business",
    },
    read=_read,
    write=_write,
    enabled=False,
    device_class="vgpu-manager",
    device_driver="manager.nvidia.com",
)
