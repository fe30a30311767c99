"""Finds the pods and pod templates of an object, wherever they are nested."""

from collections.abc import Iterator, Mapping
from typing import Any

from webhook.core.pod import PodView, Where, api_group, container_list, mapping, text_of
from webhook.core.share import Stage

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
# API groups of Kubernetes itself whose names look like a custom resource's: none holds a pod template that is used …
_KUBERNETES_GROUPS = frozenset(
    f"{name}.k8s.io"
    for name in (
        "admissionregistration",
        "apiextensions",
        "apiregistration",
        "authentication",
        "authorization",
        "certificates",
        "coordination",
        "discovery",
        "events",
        "flowcontrol.apiserver",
        "internal.apiserver",
        "metrics",
        "networking",
        "node",
        "rbac.authorization",
        "resource",
        "scheduling",
        "storage",
        "storagemigration",
    )
)
# … nor do those of policy engines, whose patterns only look like pods.
_POLICY_GROUPS = (".kyverno.io", ".gatekeeper.sh")
# A template in a custom resource stands at most about ten levels deep (RayService: six).
_MAX_DEPTH = 32


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
            pending.extend(((*at, "items", index), _typed(part, item, kind)) for index, part in reversed(list(enumerate(item["items"]))))
        else:
            yield from _pods_of(item, at, kind)


def stage_of(document: Any) -> Stage:
    """Return LIVE for an object (or a list of objects) that was taken from a cluster, else MANIFEST."""
    if not isinstance(document, dict):
        return Stage.MANIFEST
    items = document.get("items")
    is_live = _has_version(document) or (isinstance(items, list) and any(map(_has_version, items)))
    return Stage.LIVE if is_live else Stage.MANIFEST


def _has_version(part: Any) -> bool:
    return bool(mapping(mapping(part).get("metadata")).get("resourceVersion"))


def _typed(part: Any, holder: Mapping[str, Any], kind: str) -> Any:
    """Give an item its kind, which the API server leaves out of a typed list: a `PodList` holds pods."""
    if not isinstance(part, dict) or "kind" in part or kind == "List":
        return part
    return {"apiVersion": holder.get("apiVersion"), "kind": kind.removesuffix("List"), **part}


def _pods_of(item: Mapping[str, Any], at: Where, kind: str) -> Iterator[PodView]:
    group = api_group(item)
    path = BUILT_IN.get((group, kind))
    if path is not None:
        raw = _descend(item, path)
        if raw is not None:
            yield PodView(item, at, at + path, raw)
    elif kind and _is_custom(group):
        yield from _templates_in(item, at)


def _is_custom(group: str) -> bool:
    """Say whether the group can be that of a custom resource which makes pods."""
    return "." in group and group not in _KUBERNETES_GROUPS and not f".{group}".endswith(_POLICY_GROUPS)


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
    return _argo_template(item, at, where, value) if argo and _is_argo_place(where) else None


def _is_argo_place(where: Where) -> bool:
    """Say whether templates of a Workflow stand here: in `templates`, inline in a step or task, or as the defaults of all."""
    return where[-1] in ("inline", "templateDefaults") or where[-2:-1] == ("templates",)


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
        containers += container_list(members, ("containerSet", "containers"))
    if not containers:
        return None
    view = PodView(item, at, where, value, spec_at=())
    view.containers = containers
    return view
