"""The `matchConditions` of the shipped webhook configurations: which objects carry a mark and are worth a call.

They come from the tables of the dialects, so that a new dialect's marks are never forgotten.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tools import cel, custom_resources
from webhook.core.plugin import Dialect
from webhook.core.vocabulary import shortest

# Where the templates of the built-in kinds stand beside the object itself (Kubernetes API reference).
_BUILT_IN_PATHS = ("template", "spec.template", "spec.jobTemplate.spec.template")
_POD_CONTAINERS = ("spec.containers[*]", "spec.initContainers[*]")
_ARGO_CONTAINERS = ("container", "script", "containerSet.containers[*]", "initContainers[*]")


@dataclass(frozen=True, slots=True)
class Marks:
    """What identifies an object that is worth a call.

    `resources` and `prefixes` stand in a container's resources, `pod_keys` among labels and annotations;
    `strangers` start like a family and are no marks.
    """

    resources: frozenset[str]
    prefixes: frozenset[str]
    strangers: frozenset[str]
    pod_keys: frozenset[str]


def marks_of(dialects: Sequence[Dialect]) -> Marks:
    """Return the marks of all dialects, each once."""
    prefixes = frozenset(prefix for dialect in dialects for prefix in dialect.families)
    roles = frozenset(key for dialect in dialects for key in dialect.marks.values())
    pod_keys = frozenset(key for dialect in dialects for key in dialect.pod_keys)
    starts = tuple(prefixes)
    misplaced = frozenset(key for key in pod_keys if "/" in key)
    return Marks(
        resources=frozenset(key for key in roles | misplaced if not key.startswith(starts)),
        prefixes=frozenset(shortest(starts)),
        strangers=frozenset(key for dialect in dialects for key in dialect.foreign_keys) - roles - pod_keys,
        pod_keys=pod_keys,
    )


def pods(marks: Marks) -> str:
    """Return the condition for pods alone: the shortest, evaluated for every pod that is created."""
    return _expression(_pod_carries(marks))


def built_in_kinds(marks: Marks) -> str:
    """Return the condition for pods and the built-in kinds that carry a pod template; most requests are about pods."""
    workloads = cel.indented(_any_part(marks, _BUILT_IN_PATHS))
    return _expression(["request.kind.kind == 'Pod' ? (", *cel.indented(_pod_carries(marks)), ") : (", *workloads, ")"])


def custom_kinds(marks: Marks) -> str:
    """Return the condition for the custom resources of the shipped table."""
    templates = _below_spec(custom_resources.CARRIERS, _carries(marks, "part", _POD_CONTAINERS))
    argo = _below_spec(custom_resources.ARGO_CARRIERS, _carries(marks, "part", _ARGO_CONTAINERS))
    parts = cel.any_at("object", ("spec",), "spec", cel.either(templates, argo))
    return _expression(cel.either(_noted(marks, "object"), parts))


def _expression(lines: Sequence[str]) -> str:
    """Guard the lines: `object` is null on DELETE."""
    return "\n".join(["object != null && (", *cel.indented(lines), ")"])


def _below_spec(carriers: tuple[custom_resources.Carrier, ...], condition: Sequence[str]) -> list[str]:
    return cel.any_at("spec", [path.removeprefix("spec.") for path in custom_resources.paths(carriers)], "part", condition)


def _any_part(marks: Marks, paths: Sequence[str]) -> list[str]:
    """Look at the object itself too: a count that was put on the workload instead of its template is told."""
    return cel.any_at("object", ("", *paths), "part", _carries(marks, "part", _POD_CONTAINERS))


def _pod_carries(marks: Marks) -> list[str]:
    """Return lines that rely on what the API server has decoded as a pod: its parts have their types, or are absent.

    A list that was left out is null before it is validated. Asking for nothing else saves two fifths of what `_carries` takes.
    """
    noted = [
        f"has({place}) && ({cel.holds_any(place, marks.pod_keys)})" for place in ("object.metadata.labels", "object.metadata.annotations")
    ]
    amounts = [
        f"has(at.resources) && has(at.resources.{field}) && at.resources.{field}.exists(key, {_is_mark(marks)})"
        for field in ("limits", "requests")
    ]
    asks = cel.either(*([amount] for amount in amounts))
    parts = [
        [f"has({place}) && {place} != null && {place}.exists(at,", *cel.indented(asks), ")"]
        for place in ("object.spec.containers", "object.spec.initContainers")
    ]
    return cel.either(*([line] for line in noted), *parts)


def _carries(marks: Marks, part: str, containers: Sequence[str]) -> list[str]:
    asks = cel.any_key("resources", ("limits", "requests"), _is_mark(marks))
    return cel.either(_noted(marks, part), cel.any_at(part, [f"{path}.resources" for path in containers], "resources", asks))


def _noted(marks: Marks, part: str) -> list[str]:
    return cel.any_at(part, ("metadata",), "noted", cel.any_known_key("noted", ("labels", "annotations"), marks.pod_keys))


def _is_mark(marks: Marks) -> str:
    known = [f"key in {cel.texts(marks.resources)}"] if marks.resources else []
    families = [cel.starts_with("key", marks.prefixes)] if marks.prefixes else []
    either = " || ".join([*known, *families])
    return f"({either}) && !(key in {cel.texts(marks.strangers)})" if marks.strangers else either
