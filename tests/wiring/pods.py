"""Small valid pods to start from: two cards of 4096 MiB and, where the dialect can, 15 % each."""

from typing import Any


def pod(
    limits: dict[str, int], *, labels: dict[str, str] | None = None, annotations: dict[str, str] | None = None, **spec: Any
) -> dict[str, Any]:
    """Return a pod with one container that asks for `limits`; `spec` holds further fields of its spec."""
    metadata = {"name": "gpu-app", "labels": labels or {}, "annotations": annotations or {}}
    container = {"name": "app", "image": "registry.example/app", "resources": {"limits": limits}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": [container], **spec}}


def huawei(blocks: int = 64, percent: int = 30, cards: str = "2", **spec: Any) -> dict[str, Any]:
    """Return a pod of `blocks` × 128 MiB over the cards."""
    return pod(
        {"volcano.sh/gpu-mem.128Mi": blocks, "volcano.sh/gpu-core.percentage": percent}, labels={"volcano.sh/gpu-num": cards}, **spec
    )


def volcengine(mib: int = 8192, percent: int = 30, cards: str = "2", **spec: Any) -> dict[str, Any]:
    """Return a pod of `mib` over the cards."""
    annotations = {"vke.volcengine.com/container-multiple-gpu": cards, "vke.volcengine.com/mgpu-compute-policy": "native-burst-share"}
    return pod({"vke.volcengine.com/mgpu-memory": mib, "vke.volcengine.com/mgpu-core": percent}, annotations=annotations, **spec)


def alibaba(units: int = 8, cards: str = "2", **spec: Any) -> dict[str, Any]:
    """Return a pod of `units` (GiB by default) over the cards."""
    return pod({"aliyun.com/gpu-mem": units}, labels={"aliyun.com/gpu-count": cards}, **spec)


def deployment(template: dict[str, Any]) -> dict[str, Any]:
    """Return a Deployment of such pods."""
    parts = {"metadata": {"labels": template["metadata"]["labels"]}, "spec": template["spec"]}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "gpu-app"}, "spec": {"template": parts}}
