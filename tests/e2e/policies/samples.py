"""Pods that an API server takes, right and wrong in all the ways that percard knows: drawn at random, the same ones every time."""

import random
from typing import Any

from tests.support.pods import (
    CG_CORE,
    CG_COUNT,
    CG_MEMORY,
    CG_PLACEMENT,
    CG_TFLOPS,
    LIMITS,
    MG_CORE,
    MG_LIST,
    MG_MEMORY,
    MG_POLICY,
    XG_CORE,
    XG_COUNT,
    XG_MEMORY,
)

Json = dict[str, Any]

_COUNTS = ("1", "2", "3", "4", "5", "7", "8", "16", "64", "65", "100", "0", "02", "2.0", "a", "", "1x")
_LIST_ENTRIES = ("0", "1", "2", "2", "3", "4", "8", "64", "65", "02", " 2", "", "+1", "x", "²")
_CORES = ("5", "10", "15", "30", "33", "50", "60", "90", "95", "99", "100", "101", "150", "200", "300", "1k", "6500", "10k", "0", "1Gi")
_MEMORIES = {
    "volcengine": ("255", "256", "1023", "1024", "2048", "3072", "4096", "4097", "8192", "10000", "4Ki", "1e4", "8Gi", "0", "1048577"),
    "huawei": ("1", "2", "3", "8", "24", "32", "63", "64", "65", "128", "4k", "8192", "8193", "8Gi", "0", "100000"),
    "alibaba": ("1", "2", "3", "4", "8", "12", "15", "16", "80", "1024", "1025", "8Gi", "0", "3000"),
}
_KEYS = {
    "volcengine": (MG_MEMORY, MG_CORE),
    "huawei": (XG_MEMORY, XG_CORE),
    "alibaba": (CG_MEMORY, CG_CORE),
}
_POLICIES = ("native-burst-share", "native-burst-share", "native-burst-share", "fixed-share", "guaranteed-burst-share", "turbo", "")
_SCHEDULERS = ("volcano", "default-scheduler", "koord-scheduler")
_ODD_RESOURCES = (
    ("nvidia.com/gpu", "1"),
    ("nvidia.com/gpu", "0"),
    ("nvidia.com/mig-1g.5gb", "1"),
    ("aliyun.com/gpu", "1"),
    ("aliyun.com/gpu-core", "30"),
    ("volcano.sh/gpu-memory", "1000"),
    ("volcano.sh/gpu-number", "1"),
    ("volcano.sh/vgpu-number", "1"),
    ("vke.volcengine.com/mgpu-mem", "1024"),
    ("volcano.sh/gpu-num", "2"),
    ("aliyun.com/gpu-count", "2"),
    ("example.com/fpga", "1"),
    ("cpu", "500m"),
)
_ODD_LABELS = (
    ("volcano.sh/gpu-index", "0"),
    ("gpushare.alibabacloud.com/assigned", "true"),
    (CG_PLACEMENT, "require-whole-device"),
    (CG_PLACEMENT, "pack"),
    (XG_COUNT, "2"),
    (CG_COUNT, "2"),
    (MG_LIST, "2"),
    ("app", "x"),
)
_ODD_ANNOTATIONS = (
    ("volcano.sh/bind-time", "1"),
    ("scheduler.framework.gpushare.allocation", "{}"),
    ("hami.io/vgpu-node", "n1"),
    ("hami.io/use", "n1"),
    (XG_COUNT, "2"),
    (CG_COUNT, "2"),
    (MG_POLICY, "fixed-share"),
    ("note", "line\nbreak"),
)
_ODD_ENV = (
    ("NVIDIA_VISIBLE_DEVICES", "all"),
    ("NVIDIA_VISIBLE_DEVICES", "void"),
    ("CGPU_DISABLE", "true"),
    ("CGPU_DISABLE", "0"),
    ("ALIYUN_COM_GPU_MEM_IDX", "0"),
    ("HOME", "/"),
)


class Samples:
    """Draws pods; half of them from few values, so that many are right."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 -- the same pods every time

    def pod(self) -> Json:
        """Draw a pod."""
        dialect = self._random.choice(tuple(_KEYS))
        pod = self._right(dialect) if self._chance(0.35) else self._any(dialect)
        for _ in range(self._random.choice((0, 0, 0, 0, 1, 1, 2))):
            self._disturb(pod)
        return pod

    def _chance(self, probability: float) -> bool:
        return self._random.random() < probability

    def _right(self, dialect: str) -> Json:
        """Draw a pod that divides: built from what each card gives."""
        draw, cards = self._random, self._random.choice((1, 2, 3, 4, 8))
        limits = []
        for _ in range(draw.choice((1, 1, 1, 2, 3))):
            memory = draw.choice((8, 12, 64)) if dialect != "volcengine" else draw.choice((1024, 4096, 5000))
            core = draw.choice((5, 15, 20))
            asked = {_KEYS[dialect][0]: str(memory * cards)}
            if dialect == "volcengine" or (dialect == "huawei" and self._chance(0.5)) or (cards == 1 and self._chance(0.2)):
                asked[_KEYS[dialect][1]] = str(core * cards)
            limits.append(asked)
        if self._chance(0.2):
            limits = [{**limits[0], _KEYS[dialect][1]: str(100 * cards)}]
            if dialect == "volcengine":
                del limits[0][MG_MEMORY]
        containers = [*limits, *([{}] if self._chance(0.3) else [])]
        draw.shuffle(containers)
        return self._counted(dialect, containers, str(cards), [str(cards) if asked else "0" for asked in containers])

    def _any(self, dialect: str) -> Json:
        draw = self._random
        containers = [self._limits(dialect) for _ in range(draw.choice((1, 1, 2, 3, 5)))]
        entries = [draw.choice(_LIST_ENTRIES) if self._chance(0.4) else ("2" if asked else "0") for asked in containers]
        if self._chance(0.2):
            entries = entries[1:] or ["2", "2"]
        return self._counted(dialect, containers, draw.choice(_COUNTS), entries)

    def _limits(self, dialect: str) -> dict[str, str]:
        memory, core = _KEYS[dialect]
        found = {}
        if self._chance(0.8):
            found[memory] = self._random.choice(_MEMORIES[dialect])
        if self._chance(0.6):
            found[core] = self._random.choice(_CORES)
        if dialect == "alibaba" and self._chance(0.15):
            found[CG_TFLOPS] = self._random.choice(("1", "10", "0"))
        return found

    def _counted(self, dialect: str, containers: list[dict[str, str]], count: str, entries: list[str]) -> Json:
        labels, annotations = {}, {}
        if dialect == "volcengine":
            if self._chance(0.75):
                annotations[MG_LIST] = ",".join(entries)
            if self._chance(0.85):
                annotations[MG_POLICY] = self._random.choice(_POLICIES)
        elif count != "1" or self._chance(0.5):
            labels[XG_COUNT if dialect == "huawei" else CG_COUNT] = count
        listed = [_container(f"c{number}", limits) for number, limits in enumerate(containers)]
        spec: Json = {"containers": listed, "terminationGracePeriodSeconds": 1}
        if dialect == "huawei" and self._chance(0.6):
            spec["schedulerName"] = "volcano"
        return {"apiVersion": "v1", "kind": "Pod", "metadata": {"labels": labels, "annotations": annotations}, "spec": spec}

    def _disturb(self, pod: Json) -> None:
        """Add something that may make a right pod wrong."""
        draw, spec = self._random, pod["spec"]
        container = draw.choice(spec["containers"])
        kind = draw.randrange(8)
        if kind == 0:
            key, value = draw.choice(_ODD_RESOURCES)
            container.setdefault("resources", {}).setdefault("limits", {})[key] = value
        elif kind == 1:
            other = draw.choice(tuple(_KEYS))
            init = _container("init", {**self._limits(other), **dict([draw.choice(_ODD_RESOURCES)])})
            spec["initContainers"] = [init | ({"restartPolicy": "Always"} if self._chance(0.3) else {})]
        elif kind == 2:
            pod["metadata"]["labels"].update([draw.choice(_ODD_LABELS)])
        elif kind == 3:
            pod["metadata"]["annotations"].update([draw.choice(_ODD_ANNOTATIONS)])
        else:
            self._disturb_spec(spec, container, kind)

    def _disturb_spec(self, spec: Json, container: Json, kind: int) -> None:
        draw = self._random
        if kind == 4:
            name, value = draw.choice(_ODD_ENV)
            source = {"valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}
            container["env"] = [{"name": name, **(source if self._chance(0.2) else {"value": value})}]
        elif kind == 5:
            container["securityContext"] = {"privileged": self._chance(0.7)}
        elif kind == 6:
            spec["schedulerName"] = draw.choice(_SCHEDULERS)
        elif self._chance(0.5):
            spec["nodeName"] = "node-1"
        else:
            other = draw.choice(tuple(_KEYS))
            container.setdefault("resources", {}).setdefault("limits", {}).update(self._limits(other))


def _container(name: str, limits: dict[str, str]) -> Json:
    return {"name": name, "image": "registry.example/app:1", **({"resources": {"limits": dict(limits)}} if limits else {})}


def tampered(pod: Json, text: str) -> Json:
    """Return a pod that brings a limits annotation along."""
    annotations = {**pod["metadata"]["annotations"], LIMITS: text}
    return {**pod, "metadata": {**pod["metadata"], "annotations": annotations}}
