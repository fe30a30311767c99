"""Minimal valid pods of each dialect, and what the engine says about them in a form that tests can compare."""

import copy
from typing import Any

import jsonpatch

import webhook.checks
import webhook.dialects
from webhook.core.engine import Engine, Verdict
from webhook.core.plugin import collect
from webhook.core.rules import Rules
from webhook.core.share import Stage

Json = dict[str, Any]

MG_CORE, MG_MEMORY = "vke.volcengine.com/mgpu-core", "vke.volcengine.com/mgpu-memory"
MG_LIST, MG_POLICY = "vke.volcengine.com/container-multiple-gpu", "vke.volcengine.com/mgpu-compute-policy"
XG_MEMORY, XG_CORE, XG_COUNT = "volcano.sh/gpu-mem.128Mi", "volcano.sh/gpu-core.percentage", "volcano.sh/gpu-num"
CG_MEMORY, CG_CORE, CG_TFLOPS = "aliyun.com/gpu-mem", "aliyun.com/gpu-core.percentage", "aliyun.com/gpu-core.tflops"
CG_COUNT, CG_PLACEMENT = "aliyun.com/gpu-count", "ack.gpushare.placement"
LIMITS = "percard.webhook/limits"


def engine_with(**rules: Any) -> Engine:
    """Return an engine with all dialects and checks, and the given rules."""
    return Engine(collect(webhook.dialects, "DIALECT"), collect(webhook.checks, "CHECK"), Rules(**rules))


ENGINE = engine_with()


def mg(core: Any = None, memory: Any = None) -> Json:
    """Return Volcengine's limits; what is None is left out."""
    return _given({MG_CORE: core, MG_MEMORY: memory})


def xg(memory: Any = None, core: Any = None) -> Json:
    """Return Huawei's limits; what is None is left out."""
    return _given({XG_MEMORY: memory, XG_CORE: core})


def cg(memory: Any = None, core: Any = None, tflops: Any = None) -> Json:
    """Return Alibaba's limits; what is None is left out."""
    return _given({CG_MEMORY: memory, CG_CORE: core, CG_TFLOPS: tflops})


def _given(keys: Json) -> Json:
    return {key: value for key, value in keys.items() if value is not None}


def container(name: str, limits: Json | None = None, **fields: Any) -> Json:
    """Return a container; without limits it asks for nothing."""
    return {"name": name, "image": "app:1"} | ({"resources": {"limits": dict(limits)}} if limits else {}) | fields


def pod(*limits: Json | None, labels: Json | None = None, annotations: Json | None = None, **spec: Any) -> Json:
    """Return a pod with containers c0, c1, … that have the given limits."""
    metadata: Json = {"name": "p", "namespace": "ns1"} | _given({"labels": labels, "annotations": annotations})
    containers = [container(f"c{index}", limit) for index, limit in enumerate(limits)]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": containers} | spec}


def volcengine(*limits: Json | None, count: Any = None, policy: Any = "native-burst-share", **spec: Any) -> Json:
    """Return a Volcengine pod, by default one card of 30 % and 4096 MiB; a policy only where there is a list."""
    annotations = {} if count is None else _given({MG_LIST: count, MG_POLICY: policy})
    return pod(*(limits or (mg(30, 4096),)), annotations=annotations, **spec)


def huawei(*limits: Json | None, count: Any = None, **spec: Any) -> Json:
    """Return a Huawei pod, by default with 64 blocks, which are 8 GiB, and 30 %."""
    return pod(*(limits or (xg(64, 30),)), labels=_given({XG_COUNT: count}), **spec)


def alibaba(*limits: Json | None, count: Any = None, **spec: Any) -> Json:
    """Return an Alibaba pod, by default with 8 GiB."""
    return pod(*(limits or (cg(8),)), labels=_given({CG_COUNT: count}), **spec)


def two_cards(dialect: str) -> Json:
    """Return a right pod over two cards."""
    pods = {"volcengine": volcengine(mg(30, 4096), count="2"), "huawei": huawei(count="2"), "alibaba": alibaba(count="2")}
    return pods[dialect]


def deployment(template: Json, **metadata: Any) -> Json:
    """Return a Deployment whose template has the metadata and spec of a pod."""
    return workload("apps/v1", "Deployment", {"replicas": 1, "template": as_template(template)}, **metadata)


def workload(version: str, kind: str, spec: Json, **metadata: Any) -> Json:
    """Return an object of any kind."""
    return {"apiVersion": version, "kind": kind, "metadata": {"name": "w", "namespace": "ns1"} | metadata, "spec": spec}


def as_template(whole: Json) -> Json:
    """Return the pod template that would make a pod: labels, annotations and spec."""
    metadata = {key: value for key, value in whole["metadata"].items() if key in ("labels", "annotations")}
    return copy.deepcopy({"metadata": metadata, "spec": whole["spec"]})


def said(verdict: Verdict, severity: str = "error") -> set[str]:
    """Return the ids of the checks that complain."""
    return {finding.check for finding in verdict.findings if finding.severity == severity}


def errors(obj: Any, old: Any = None, *, stage: Stage = Stage.MANIFEST, engine: Engine = ENGINE) -> set[str]:
    """Return the ids of the checks that refuse an object."""
    return said(engine.examine(obj, old, stage=stage))


def places(verdict: Verdict) -> set[tuple[str, str]]:
    """Return every finding as (check, field)."""
    return {(finding.check, str(finding.path)) for finding in verdict.findings}


def patched(obj: Json, verdict: Verdict) -> Json:
    """Apply a patch as the API server would: by an independent implementation of RFC 6902, to a copy."""
    operations = [operation.as_object for operation in verdict.patch]
    result: Json = jsonpatch.JsonPatch(operations).apply(copy.deepcopy(obj))
    return result


def mutated(obj: Json, engine: Engine = ENGINE) -> Json:
    """Return what /mutate makes of a new pod."""
    return patched(obj, engine.examine(obj, stage=Stage.MUTATE))
