"""Objects of every covered kind, with something in a chosen place."""

import copy
from typing import Any, NamedTuple

from tests.e2e.installed.custom_kinds import VERSION, kind_of
from tools import cel, custom_resources

Object = dict[str, Any]
LABELS = {"app": "case"}


class Kind(NamedTuple):
    """A kind by its collection's path below `/apis/…` or `/api/v1`, and where its pod template is."""

    name: str
    api: str
    resource: str
    template: str
    around: Object


_SELECTOR = {"selector": {"matchLabels": LABELS}}
BUILT_IN = (
    Kind("Pod", "v1", "pods", "", {}),
    Kind("PodTemplate", "v1", "podtemplates", "template", {}),
    Kind("ReplicationController", "v1", "replicationcontrollers", "spec.template", {"spec": {"selector": LABELS, "replicas": 0}}),
    Kind("Deployment", "apps/v1", "deployments", "spec.template", {"spec": {**_SELECTOR, "replicas": 0}}),
    Kind("ReplicaSet", "apps/v1", "replicasets", "spec.template", {"spec": {**_SELECTOR, "replicas": 0}}),
    Kind("StatefulSet", "apps/v1", "statefulsets", "spec.template", {"spec": {**_SELECTOR, "replicas": 0, "serviceName": "case"}}),
    Kind("DaemonSet", "apps/v1", "daemonsets", "spec.template", {"spec": _SELECTOR}),
    Kind("Job", "batch/v1", "jobs", "spec.template", {"spec": {"suspend": True}}),
    Kind("CronJob", "batch/v1", "cronjobs", "spec.jobTemplate.spec.template", {"spec": {"schedule": "0 3 * * *", "suspend": True}}),
)
CUSTOM = tuple(
    Kind(kind_of(resource), f"{carrier.group}/{VERSION}", resource, path, {})
    for carrier in custom_resources.CARRIERS
    for resource in carrier.resources
    for path in carrier.paths
)
ARGO = tuple(
    Kind(kind_of(resource), f"{carrier.group}/{VERSION}", resource, path, {})
    for carrier in custom_resources.ARGO_CARRIERS
    for resource in carrier.resources
    for path in carrier.paths
)


def collection(kind: Kind, namespace: str) -> str:
    """Return the path of a kind's objects in a namespace."""
    root = "/api" if kind.api == "v1" else "/apis"
    return f"{root}/{kind.api}/namespaces/{namespace}/{kind.resource}"


def template(*, restart: str = "Always") -> Object:
    """Return a pod template without any mark."""
    containers = [{"name": name, "image": "registry.example/app:1", "resources": {"limits": {"cpu": "1"}}} for name in ("a", "b")]
    start = [{"name": "start", "image": "registry.example/app:1", "resources": {"limits": {"cpu": "1"}}}]
    return {"metadata": {"labels": dict(LABELS)}, "spec": {"restartPolicy": restart, "initContainers": start, "containers": containers}}


def argo_template() -> Object:
    """Return a template of an Argo Workflow without any mark."""
    container = {"image": "registry.example/app:1", "resources": {"limits": {"cpu": "1"}}}
    return {
        "metadata": {"labels": dict(LABELS)},
        "container": copy.deepcopy(container),
        "script": copy.deepcopy(container),
        "containerSet": {"containers": [copy.deepcopy(container)]},
        "initContainers": [copy.deepcopy(container)],
    }


def make(kind: Kind, template: Object, name: str = "case") -> Object:
    """Return an object of the kind that holds the template."""
    obj: Object = {"apiVersion": kind.api, "kind": kind.name, "metadata": {"name": name}, **copy.deepcopy(kind.around)}
    if not kind.template:
        metadata = {**template["metadata"], "name": name}
        return {**obj, **template, "metadata": metadata}
    steps = cel.path_steps(kind.template)
    at: Any = obj
    for step, following in zip(steps, [*steps[1:], None], strict=True):
        value = template if following is None else [] if following == cel.EACH_ITEM else {}
        at = _descend(at, step, value)
    return obj


def _descend(at: Any, step: str, value: Any) -> Any:
    """Put a value below a step unless something is there; behind a wildcard it is the second of two."""
    if step == cel.EACH_ITEM:
        at += [{}, value]
        return at[-1]
    return at.setdefault("second" if step == cel.EACH_VALUE else step, value)


def restart_policy(kind: Kind) -> str:
    """Return the restart policy that a kind takes."""
    return "Never" if kind.name in {"Job", "CronJob"} else "Always"
