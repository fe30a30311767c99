"""Claims: for targets that ask by claims, the template that a pod refers to and the references to it."""

from collections.abc import Mapping
from typing import Any

from webhook.core.fieldpath import pointer
from webhook.core.patch import PatchOp
from webhook.core.pod import mapping, sequence
from webhook.core.share import GpuPod
from webhook.core.writing import Draft

_CLAIM = "gpu"
# Kubernetes 1.34, where DRA is stable.
_API_VERSION = "resource.k8s.io/v1"


def template_name(gpu: GpuPod, number: int) -> str:
    """Return the name of the template of the object's pod template `number`, from 0."""
    parts = [gpu.pod.name.rstrip("-"), _CLAIM, str(number + 1) if number else ""]
    return "-".join(part for part in parts if part)


def claim_template(gpu: GpuPod, draft: Draft, name: str) -> dict[str, Any]:
    """Return the ResourceClaimTemplate with a request for each container."""
    metadata = {"name": name}
    if gpu.pod.namespace:
        metadata["namespace"] = gpu.pod.namespace
    devices: dict[str, Any] = {"requests": [{"name": claim.name, "exactly": claim.spec} for claim in draft.claims.values()]}
    constraints = [_distinct(draft, claim.name) for claim in draft.claims.values() if claim.spec["count"] > 1]
    if constraints:
        devices["constraints"] = constraints
    spec = {"spec": {"devices": devices}}
    return {"apiVersion": _API_VERSION, "kind": "ResourceClaimTemplate", "metadata": metadata, "spec": spec}


def _distinct(draft: Draft, request: str) -> dict[str, Any]:
    """Return what keeps the scheduler from giving one device twice."""
    return {"requests": [request], "distinctAttribute": f"{draft.dialect.device_driver}/uuid"}


def claim_operations(gpu: GpuPod, draft: Draft, name: str) -> list[PatchOp]:
    """Return the operations by which the pod refers to the template, and each container to its request."""
    reference = {"name": _CLAIM, "resourceClaimTemplateName": name}
    operations = [_appended(gpu.pod.spec, (*gpu.pod.root, *gpu.pod.spec_at), "resourceClaims", reference)]
    for share in gpu.shares:
        claim = {"name": _CLAIM, "request": draft.claims[share.ask.where].name}
        where = (*gpu.pod.root, *share.ask.where)
        operations.append(_appended(mapping(share.ask.container.get("resources")), (*where, "resources"), "claims", claim))
    return operations


def _appended(parent: Mapping[str, Any], where: tuple[str | int, ...], key: str, item: dict[str, Any]) -> PatchOp:
    path = pointer((*where, key))
    return PatchOp("add", f"{path}/-", item) if sequence(parent.get(key)) else PatchOp("add", path, [item])
