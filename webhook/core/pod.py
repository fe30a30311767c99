"""Lenses on raw objects: a pod or a pod template, read in place."""

from collections.abc import Mapping
from typing import Any

_DICT_OR_NULL = (dict, type(None))
EMPTY: Mapping[str, Any] = {}
# What is written anew may be nested so deeply: far more than any Kubernetes object is, far less than Python recurses.
MOST_LEVELS = 200
Where = tuple[str | int, ...]


def mapping(value: Any) -> Mapping[str, Any]:
    """Return the value where it is a mapping, else an empty one."""
    return value if isinstance(value, dict) else EMPTY


def sequence(value: Any) -> list[Any]:
    """Return the value where it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def text_of(value: Any) -> str:
    """Return the value where it is text, else an empty one."""
    return value if isinstance(value, str) else ""


def same(one: Any, other: Any) -> bool:
    """Say whether two JSON values are equal; two that are nested beyond Python's depth are not."""
    try:
        return bool(one == other)
    except RecursionError:
        return False


def nests_deeper(value: Any, levels: int) -> bool:
    """Say whether lists and mappings stand in each other deeper than so many levels."""
    layer = [value]
    for _ in range(levels + 1):
        layer = [
            inner for outer in layer if isinstance(outer, dict | list) for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not layer:
            return False
    return True


def api_group(item: Mapping[str, Any]) -> str:
    """Return the API group of an object: `apps` for `apps/v1`, empty for `v1`."""
    return text_of(item.get("apiVersion")).rpartition("/")[0]


class PodView:
    """A pod or a pod template, read in place.

    `owner` is the object that holds it (for a pod the pod itself), `owner_at` and `root` are the paths
    from the document to the two. `spec_at` leads from `root` to the pod's spec: `("spec",)`, or `()`
    for an Argo Workflow template. `containers` and `init_containers` are (path from `root`, container).
    """

    __slots__ = (
        "annotations",
        "containers",
        "init_containers",
        "labels",
        "metadata",
        "owner",
        "owner_at",
        "owner_metadata",
        "raw",
        "root",
        "spec",
        "spec_at",
    )

    def __init__(self, owner: Mapping[str, Any], owner_at: Where, root: Where, raw: Mapping[str, Any], spec_at: Where = ("spec",)) -> None:
        """Wrap `raw`, the mapping that stands at `root`."""
        self.owner, self.owner_at, self.root, self.raw, self.spec_at = owner, owner_at, root, raw, spec_at
        self.owner_metadata = mapping(owner.get("metadata"))
        self.metadata = mapping(raw.get("metadata")) if raw is not owner else self.owner_metadata
        self.labels = mapping(self.metadata.get("labels"))
        self.annotations = mapping(self.metadata.get("annotations"))
        self.spec = mapping(raw.get("spec")) if spec_at else raw
        self.containers = container_list(self.spec.get("containers"), (*spec_at, "containers"))
        self.init_containers = container_list(self.spec.get("initContainers"), (*spec_at, "initContainers"))

    @property
    def kind(self) -> str:
        """Return the kind of the object that holds it."""
        return text_of(self.owner.get("kind"))

    @property
    def namespace(self) -> str:
        """Return the namespace that the object names, which may be none."""
        return text_of(self.owner_metadata.get("namespace"))

    @property
    def name(self) -> str:
        """Return the object's name, or what its name will begin with."""
        return text_of(self.owner_metadata.get("name")) or text_of(self.owner_metadata.get("generateName"))

    @property
    def place(self) -> tuple[Any, ...]:
        """Return the path from the owner with list items by their names where they have one: a template is known again by it."""
        value: Any = self.owner
        named: list[Any] = []
        for part in self.root[len(self.owner_at) :]:
            value = value[part]
            name = value.get("name", value.get("groupName")) if isinstance(part, int) and isinstance(value, dict) else None
            named.append(name if isinstance(name, str) else part)
        return tuple(named)

    def keys_in(self, place: str) -> Mapping[str, Any]:
        """Return `metadata.labels` or `metadata.annotations`."""
        return self.labels if place == "labels" else self.annotations

    @property
    def is_template(self) -> bool:
        """Say whether pods are made from this, rather than that it is one."""
        return self.root != self.owner_at

    @property
    def is_copy(self) -> bool:
        """Say whether a controller made the workload: its owner was refused, or its pods will be."""
        owners = sequence(self.owner_metadata.get("ownerReferences"))
        return any(mapping(owner).get("controller") is True for owner in owners)

    @property
    def takes_annotations(self) -> bool:
        """Say whether an annotation can be added so that nothing else is lost: its parents are mappings, or are not there."""
        return isinstance(self.raw.get("metadata"), _DICT_OR_NULL) and isinstance(self.metadata.get("annotations"), _DICT_OR_NULL)

    @property
    def raw_parts(self) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """Return metadata and spec, which are all that a template consists of."""
        return self.metadata, self.spec


def container_list(value: Any, where: Where) -> list[tuple[Where, Mapping[str, Any]]]:
    """Return the containers of a list, each with its path."""
    if not isinstance(value, list):
        return []
    return [((*where, index), mapping(container)) for index, container in enumerate(value)]
