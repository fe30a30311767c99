"""Pods in every dialect, and what becomes of them in another one."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import jsonpatch

from webhook import Engine, GpuPod, load_settings
from webhook.core.plugin import Dialect
from webhook.core.rewriting import rewrite
from webhook.core.share import Stage
from webhook.core.translation import drafted
from webhook.core.writing import Draft
from webhook.wiring import build_translator

Object = dict[str, Any]
VENDORS = ("volcengine", "huawei", "alibaba")
# Every dialect that is read and written.
BOTH_WAYS = (*VENDORS, "hami", "volcano_vgpu", "koordinator", "kai", "tencent", "baidu")
TARGETS = (*BOTH_WAYS, "dra")


@cache
def engine() -> Engine:
    """Return an engine that knows every dialect; the site has A10 cards."""
    return build_translator(load_settings(None, {}, {"dialects.baidu.card_model": "a10_24g"}))


def dialect(name: str) -> Dialect:
    """Return a dialect as the engine has it."""
    return next(known for known in engine().dialects if known.id == name)


def pod(
    *containers: Mapping[str, Any], labels: Mapping[str, str] | None = None, annotations: Mapping[str, str] | None = None, **spec: Any
) -> Object:
    """Return a pod; each of `containers` is the limits of one, called app, app-1, app-2 and so on."""
    metadata = {"name": "infer", "labels": {"app": "infer", **(labels or {})}, "annotations": dict(annotations or {})}
    found = [_container(index, limits) for index, limits in enumerate(containers)]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": found, **spec}}


def _container(index: int, limits: Mapping[str, Any]) -> Object:
    name = f"app-{index}" if index else "app"
    container: Object = {"name": name, "image": "registry.example/infer:1"}
    return container | ({"resources": {"limits": dict(limits)}} if limits else {})


def volcengine(*asks: tuple[int | None, int], cards: str | None = None) -> Object:
    """Return a pod of (MiB, percent) totals; `cards` is the list."""
    keys = ("vke.volcengine.com/mgpu-memory", "vke.volcengine.com/mgpu-core")
    limits = [{key: amount for key, amount in zip(keys, ask, strict=True) if amount is not None} for ask in asks]
    listed = {"vke.volcengine.com/container-multiple-gpu": cards, "vke.volcengine.com/mgpu-compute-policy": "native-burst-share"}
    return pod(*limits, annotations={} if cards is None else {key: text for key, text in listed.items() if text})


def huawei(*asks: tuple[int, int | None], cards: int | None = None) -> Object:
    """Return a pod of (blocks of 128 MiB, percent) totals."""
    keys = ("volcano.sh/gpu-mem.128Mi", "volcano.sh/gpu-core.percentage")
    limits = [{key: amount for key, amount in zip(keys, ask, strict=True) if amount is not None} for ask in asks]
    return pod(*limits, labels={} if cards is None else {"volcano.sh/gpu-num": str(cards)}, schedulerName="volcano")


def alibaba(*asks: tuple[int, int | None], cards: int | None = None) -> Object:
    """Return a pod of (GiB, percent) totals."""
    keys = ("aliyun.com/gpu-mem", "aliyun.com/gpu-core.percentage")
    limits = [{key: amount for key, amount in zip(keys, ask, strict=True) if amount is not None} for ask in asks]
    return pod(*limits, labels={} if cards is None else {"aliyun.com/gpu-count": str(cards)})


def read(obj: Object) -> GpuPod:
    """Return the only GPU pod of an object, which must be in order."""
    verdict = engine().examine(obj, stage=Stage.VALIDATE)
    assert [finding.text for finding in verdict.errors if finding.check != "scheduler-conflict"] == []
    (gpu,) = verdict.pods
    return gpu


def draft_of(obj: Object, target: str) -> Draft:
    """Return the object's pod as the target would write it."""
    return drafted(read(obj), dialect(target))


def written(obj: Object, target: str) -> Object:
    """Return the object rewritten into the target, as an API server would have it."""
    gpu = read(obj)
    operations = [operation.as_object for operation in rewrite(gpu, drafted(gpu, dialect(target)), {}, keep_source=False)]
    patched: Object = jsonpatch.apply_patch(obj, json.loads(json.dumps(operations)))
    return patched


def outcomes(draft: Draft) -> list[str]:
    """Return how each remark changes the pod, the worst first."""
    order: Sequence[str] = ("impossible", "lost", "rounded", "assumed")
    return sorted((remark.outcome for remark in draft.remarks), key=order.index)
