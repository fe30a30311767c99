"""The shipped examples, and their pod templates as every kind of object that makes pods."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

Object = dict[str, Any]
FOLDER = Path(__file__).parents[2] / "manifests" / "examples"


def read(file: Path) -> Object:
    """Return the one object of an example."""
    found: Object = yaml.safe_load(file.read_text(encoding="utf-8"))
    return found


def files() -> list[Path]:
    """Return every example."""
    return sorted(FOLDER.glob("*/*.yaml"))


def good_files() -> list[Path]:
    """Return the examples that percard has nothing to say against."""
    return [file for file in files() if "nothing is wrong" in file.read_text(encoding="utf-8")]


def bad_files() -> list[Path]:
    """Return the examples that percard refuses."""
    return [file for file in files() if "#   error: " in file.read_text(encoding="utf-8")]


def template_of(obj: Object) -> Object:
    """Return the pod template of an object; a Pod is its own."""
    if obj["kind"] == "Pod":
        return {"metadata": {key: value for key, value in obj["metadata"].items() if key in {"labels", "annotations"}}, "spec": obj["spec"]}
    template: Object = obj["spec"]["template"]
    return template


def _pod(name: str, template: Object) -> Object:
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {**template.get("metadata", {}), "name": name}, "spec": template["spec"]}


def _selecting(api: str, kind: str, **more: object) -> Callable[[str, Object], Object]:
    def make(name: str, template: Object) -> Object:
        selector = {"matchLabels": {"app": template["metadata"]["labels"]["app"]}}
        return _object(api, kind, name, {"selector": selector, "template": template, **more})

    return make


def _replication_controller(name: str, template: Object) -> Object:
    return _object("v1", "ReplicationController", name, {"selector": {"app": template["metadata"]["labels"]["app"]}, "template": template})


def _job(name: str, template: Object) -> Object:
    return _object("batch/v1", "Job", name, {"template": template})


def _cron_job(name: str, template: Object) -> Object:
    return _object("batch/v1", "CronJob", name, {"schedule": "0 3 * * *", "jobTemplate": {"spec": {"template": template}}})


def _volcano_job(name: str, template: Object) -> Object:
    return _object(
        "batch.volcano.sh/v1alpha1", "Job", name, {"minAvailable": 1, "tasks": [{"name": "w", "replicas": 1, "template": template}]}
    )


def _object(api: str, kind: str, name: str, spec: Object) -> Object:
    return {"apiVersion": api, "kind": kind, "metadata": {"name": name}, "spec": spec}


# How each kind is made of a name and a pod template, and where in it the template's fields are.
_KINDS: dict[str, tuple[Callable[[str, Object], Object], str]] = {
    "Pod": (_pod, ""),
    "Deployment": (_selecting("apps/v1", "Deployment"), "spec.template."),
    "StatefulSet": (_selecting("apps/v1", "StatefulSet", serviceName="none"), "spec.template."),
    "DaemonSet": (_selecting("apps/v1", "DaemonSet"), "spec.template."),
    "ReplicaSet": (_selecting("apps/v1", "ReplicaSet"), "spec.template."),
    "ReplicationController": (_replication_controller, "spec.template."),
    "Job": (_job, "spec.template."),
    "CronJob": (_cron_job, "spec.jobTemplate.spec.template."),
    "Volcano Job": (_volcano_job, "spec.tasks[0].template."),
}
KINDS = tuple(_KINDS)


def as_kind(kind: str, name: str, template: Object) -> Object:
    """Return an object of a kind that makes pods of the template, with the restart policy that the kind takes."""
    template = copy.deepcopy(template)
    template.setdefault("metadata", {}).setdefault("labels", {}).setdefault("app", name)
    template["spec"]["restartPolicy"] = "Never" if kind in {"Job", "CronJob"} else "Always"
    make, _ = _KINDS[kind]
    return make(name, template)


def template_path(kind: str) -> str:
    """Return where a pod's fields are in an object of a kind, such as `spec.template.`."""
    return _KINDS[kind][1]
