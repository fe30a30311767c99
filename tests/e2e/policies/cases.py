"""Every manifest of tests/golden that an API server can be asked to create, and as many drawn pods as one likes, also as workloads."""

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from tests.e2e.policies.samples import Samples
from tests.support.kinds import built_in
from tests.support.pods import as_template

Json = dict[str, Any]
GOLDEN = Path(__file__).parents[2] / "golden"
_KINDS = {"Pod", "PodTemplate", "ReplicationController", "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob"}
_RESTART_NEVER = {"Job", "CronJob"}
_SEED = 20260


class Case(NamedTuple):
    """An object, and where it comes from."""

    name: str
    obj: Json


def goldens() -> Iterator[Case]:
    """Yield the single objects of built-in kinds, made complete: what an API server wants beyond what percard looks at."""
    for file in sorted(GOLDEN.glob("*/*/*.yaml")):
        documents = [document for document in yaml.safe_load_all(file.read_text(encoding="utf-8")) if document]
        if len(documents) == 1 and documents[0].get("kind") in _KINDS and "." not in documents[0]["apiVersion"].partition("/")[0]:
            yield Case(str(file.relative_to(GOLDEN)), complete(documents[0]))


def drawn(pods: int, workloads: int) -> Iterator[Case]:
    """Yield pods and workloads drawn at random, the same ones every time."""
    samples = Samples(_SEED)
    for number in range(pods):
        yield Case(f"pod {number}", samples.pod())
    for number in range(workloads):
        made = built_in(as_template(samples.pod()))
        kind = sorted(made)[number // 2 % len(made)] if number % 2 else "Deployment"
        yield Case(f"{kind} {number}", complete(made[kind][0]))


def complete(obj: Json) -> Json:
    """Return an object with the selectors, images and restart policies that the API server insists on."""
    whole = copy.deepcopy(obj)
    for field in ("namespace", "resourceVersion", "uid", "creationTimestamp"):
        whole["metadata"].pop(field, None)
    template = _template(whole)
    pod_spec = template["spec"]
    for container in [*pod_spec.get("containers", []), *pod_spec.get("initContainers", [])]:
        container.setdefault("image", "registry.example/app:1")
    kind = whole["kind"]
    if kind in {"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController"}:
        labels = template.setdefault("metadata", {}).setdefault("labels", {})
        labels.setdefault("case", "x")
        chosen = {"case": labels["case"]}
        whole["spec"]["selector"] = chosen if kind == "ReplicationController" else {"matchLabels": chosen}
    if kind in _RESTART_NEVER:
        pod_spec["restartPolicy"] = "Never"
    return whole


def _template(obj: Json) -> Json:
    if obj["kind"] == "Pod":
        return obj
    inner: Any = obj if obj["kind"] == "PodTemplate" else obj["spec"]
    inner = inner["jobTemplate"]["spec"] if obj["kind"] == "CronJob" else inner
    template: Json = inner["template"]
    return template
