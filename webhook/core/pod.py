"""Lenses on the raw object: its pods and pod templates, wherever they are nested."""

from collections.abc import Iterator, Mapping
from typing import Any

EMPTY: Mapping[str, Any] = {}
Where = tuple[str | int, ...]

_TEMPLATE: Where = ("spec", "template")
# Built-in kinds by (API group, kind), and where their pod template stands (Kubernetes API reference).
BUILT_IN: Mapping[tuple[str, str], Where] = {
    ("", "Pod"): (),
    ("", "PodTemplate"): ("template",),
    ("", "ReplicationController"): _TEMPLATE,
    ("apps", "Deployment"): _TEMPLATE,
    ("apps", "StatefulSet"): _TEMPLATE,
    ("apps", "DaemonSet"): _TEMPLATE,
    ("apps", "ReplicaSet"): _TEMPLATE,
    ("batch", "Job"): _TEMPLATE,
    ("batch", "CronJob"): ("spec", "jobTemplate", "spec", "template"),
}
# A template in a custom resource stands at most about ten levels deep (RayService: six).
_MAX_DEPTH = 32


def mapping(value: Any) -> Mapping[str, Any]:
    """Return the value where it is a mapping, else an empty one."""
    return value if isinstance(value, dict) else EMPTY


def sequence(value: Any) -> list[Any]:
    """Return the value where it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def text_of(value: Any) -> str:
    """Return the value where it is text, else an empty one."""
    return value if isinstance(value, str) else ""


class PodView:
    """A pod or a pod template, read in place.

    `owner` is the object that holds it (for a pod the pod itself), `owner_at` and `root` are the paths
    from the document to the two. `spec_at` leads from `root` to the pod's spec: `("spec",)`, or `()`
    for an Argo Workflow template. `containers` and `init_containers` are (path from `root`, container).
    """

    __slots__ = ("annotations", "containers", "init_containers", "labels", "metadata", "owner", "owner_at", "root", "spec", "spec_at")

    def __init__(self, owner: Mapping[str, Any], owner_at: Where, root: Where, raw: Mapping[str, Any], spec_at: Where = ("spec",)) -> None:
        """Wrap `raw`, the mapping that stands at `root`."""
        self.owner, self.owner_at, self.root, self.spec_at = owner, owner_at, root, spec_at
        self.metadata = mapping(raw.get("metadata"))
        self.labels = mapping(self.metadata.get("labels"))
        self.annotations = mapping(self.metadata.get("annotations"))
        self.spec = mapping(raw.get("spec")) if spec_at else raw
        self.containers = _containers(self.spec.get("containers"), (*spec_at, "containers"))
        self.init_containers = _containers(self.spec.get("initContainers"), (*spec_at, "initContainers"))

    def keys_in(self, place: str) -> Mapping[str, Any]:
        """Return `metadata.labels` or `metadata.annotations`."""
        return self.labels if place == "labels" else self.annotations

    @property
    def is_template(self) -> bool:
        """Say whether pods are made from this, rather than that it is one."""
        return self.root != self.owner_at

    @property
    def raw_parts(self) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """Return metadata and spec, which are all that a template consists of."""
        return self.metadata, self.spec


def _containers(value: Any, where: Where) -> list[tuple[Where, Mapping[str, Any]]]:
    if not isinstance(value, list):
        return []
    return [((*where, index), mapping(container)) for index, container in enumerate(value)]


def pods_in(document: Any) -> Iterator[PodView]:
    """Yield the pods and pod templates of a Kubernetes object, in the order of its text.

    Walks a `List` item by item, the built-in kinds by their known path, and any custom resource by
    the shape of its parts. A ControllerRevision is a stored copy and never walked: refusing one
    would leave its controller without an event.
    """
    pending: list[tuple[Where, Any]] = [((), document)]
    while pending:
        at, item = pending.pop()
        if not isinstance(item, dict) or len(at) > _MAX_DEPTH:
            continue
        kind = text_of(item.get("kind"))
        if kind.endswith("List") and isinstance(item.get("items"), list):
            pending.extend(((*at, "items", index), part) for index, part in reversed(list(enumerate(item["items"]))))
        else:
            yield from _pods_of(item, at, kind)


def _pods_of(item: Mapping[str, Any], at: Where, kind: str) -> Iterator[PodView]:
    group = api_group(item)
    path = BUILT_IN.get((group, kind))
    if path is not None:
        raw = _descend(item, path)
        if raw is not None:
            yield PodView(item, at, at + path, raw)
    elif kind and _is_custom(group):
        yield from _templates_in(item, at)


def api_group(item: Mapping[str, Any]) -> str:
    """Return the API group of an object: `apps` for `apps/v1`, empty for `v1`."""
    return text_of(item.get("apiVersion")).rpartition("/")[0]


def _is_custom(group: str) -> bool:
    """Say whether the group can be a custom resource's: those of Kubernetes carry no other templates."""
    return "." in group and not group.endswith(".k8s.io")


def _descend(item: Mapping[str, Any], path: Where) -> Mapping[str, Any] | None:
    value: Any = item
    for part in path:
        value = mapping(value).get(str(part))
    return value if isinstance(value, dict) else None


def _templates_in(item: Mapping[str, Any], at: Where) -> Iterator[PodView]:
    pending: list[tuple[Where, Any]] = [
        ((*at, key), value) for key, value in reversed(list(item.items())) if key not in ("metadata", "status")
    ]
    argo = api_group(item) == "argoproj.io"
    while pending:
        where, value = pending.pop()
        if len(where) - len(at) > _MAX_DEPTH:
            continue
        if isinstance(value, list):
            pending.extend(((*where, index), part) for index, part in reversed(list(enumerate(value))))
        elif isinstance(value, dict):
            view = _template_at(item, at, where, value, argo=argo)
            if view is not None:
                yield view
            else:
                pending.extend(((*where, key), part) for key, part in reversed(list(value.items())))


def _template_at(item: Mapping[str, Any], at: Where, where: Where, value: Mapping[str, Any], *, argo: bool) -> PodView | None:
    if _is_container_list(mapping(value.get("spec")).get("containers")):
        return PodView(item, at, where, value)
    return _argo_template(item, at, where, value) if argo else None


def _is_container_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(part, dict) and ("name" in part or "image" in part) for part in value)


def _argo_template(item: Mapping[str, Any], at: Where, where: Where, value: Mapping[str, Any]) -> PodView | None:
    """Read a template of an Argo Workflow: one `container` or `script`, or a `containerSet`.

    Source: Argo Workflows, field reference of `Template`.
    """
    containers: list[tuple[Where, Mapping[str, Any]]] = [
        ((key,), value[key]) for key in ("container", "script") if isinstance(value.get(key), dict) and "image" in value[key]
    ]
    members = mapping(value.get("containerSet")).get("containers")
    if _is_container_list(members):
        containers += _containers(members, ("containerSet", "containers"))
    if not containers:
        return None
    view = PodView(item, at, where, value, spec_at=())
    view.containers = containers
    return view
