"""Files that are no manifests yet: templates of a Helm chart, patches of a kustomization.

They are judged where they are rendered; what to run instead is told once.
"""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from webhook.core.pod import EMPTY, PodView, mapping, sequence
from webhook.lint.chunks import cut
from webhook.lint.faults import DocumentError
from webhook.lint.reading import read
from webhook.lint.sources import STDIN

_CHART = "Chart.yaml"
_TEMPLATES = "templates"
_KUSTOMIZATIONS = ("kustomization.yaml", "kustomization.yml", "Kustomization")
# A kustomization names files beside and below it; nobody nests deeper than a few folders.
_MOST_PARENTS = 6

# Kinds whose API requires a selector: without one it is no object that could be applied.
_WITH_SELECTOR = frozenset({"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"})


class Rendering:
    """Tells which files a tool renders, looking at each folder once."""

    def __init__(self) -> None:
        """Start with no folder seen."""
        self._folders: dict[str, _Folder] = {}

    def note(self, file: str) -> str | None:
        """Return what to run instead of judging a file, None for a manifest."""
        folder = self._folder_of(file)
        if folder.chart is not None:
            return _advice(f"the templates of the chart {folder.chart} are", f"helm template {folder.chart}")
        if folder.patches and os.path.normpath(Path(file).absolute()) in folder.patches:
            return _advice(f"the patches of the kustomization {folder.kustomization} are", f"kustomize build {folder.kustomization}")
        return None

    def fragment_note(self, file: str, pods: Sequence[PodView]) -> str | None:
        """Return what to run instead of judging a document whose pods have no image: a patch that nothing names.

        None where it may be meant as it stands: on standard input, which is rendered already, or as a named resource.
        """
        if file == STDIN or not pods or any("image" in container for pod in pods for _, container in pod.containers):
            return None
        folder = self._folder_of(file)
        is_resource = os.path.normpath(Path(file).absolute()) in folder.resources
        if is_resource or (folder.kustomization is None and not all(map(_lacks_selector, pods))):
            return None
        return _advice("fragments of a pod, without any image, are", f"kustomize build {folder.kustomization or 'FOLDER'}")

    def _folder_of(self, file: str) -> "_Folder":
        name = file.rpartition("/")[0]
        if file == STDIN:
            return _Folder()
        if name not in self._folders:
            self._folders[name] = _look_around(Path(name))
        return self._folders[name]


class _Folder(NamedTuple):
    """What a folder belongs to: a chart whose templates it holds, the nearest kustomization, the patches and resources that are named."""

    chart: str | None = None
    kustomization: str | None = None
    patches: frozenset[str] = frozenset()
    resources: frozenset[str] = frozenset()


def _look_around(folder: Path) -> _Folder:
    around = [folder.absolute(), *folder.absolute().parents][:_MOST_PARENTS]
    charts = [path.parent for path in around if path.name == _TEMPLATES and (path.parent / _CHART).is_file()]
    kustomizations = [file for path in around if (file := _kustomization_in(path))]
    patches = frozenset(patch for file in kustomizations for patch in _named_patches(file))
    resources = frozenset(resource for file in kustomizations for resource in _named_resources(file))
    nearest = kustomizations[0].parent if kustomizations else None
    return _Folder(_shown(charts[0] if charts else None, folder), _shown(nearest, folder), patches, resources)


def _shown(path: Path | None, like: Path) -> str | None:
    """Return a path as the user spells paths: absolute or relative."""
    if path is None:
        return None
    return str(path) if like.is_absolute() else os.path.relpath(path)


def _advice(what: str, command: str) -> str:
    return f"{what} not judged; run: {command} | percard check -"


def _kustomization_in(folder: Path) -> Path | None:
    return next((path for name in _KUSTOMIZATIONS if (path := Path(folder, name)).is_file()), None)


def _named_patches(file: Path) -> frozenset[str]:
    """Return the absolute paths of the patches that a kustomization names."""
    names: list[Any] = []
    for data in _documents(file):
        names += sequence(data.get("patchesStrategicMerge"))
        names += [mapping(patch).get("path") for key in ("patches", "patchesJson6902") for patch in sequence(data.get(key))]
    return _absolute(file, names)


def _named_resources(file: Path) -> frozenset[str]:
    """Return the absolute paths of the resources that a kustomization names."""
    return _absolute(file, [name for data in _documents(file) for name in sequence(data.get("resources"))])


def _absolute(file: Path, names: Iterable[Any]) -> frozenset[str]:
    return frozenset(os.path.normpath(file.parent / name) for name in names if isinstance(name, str) and "\n" not in name)


def _documents(file: Path) -> list[Any]:
    try:
        found = [document.data for chunk in cut(file.read_bytes()) for document in read(chunk)]
    except (OSError, DocumentError):
        return []
    return [data if isinstance(data, dict) else EMPTY for data in found]


def _lacks_selector(pod: PodView) -> bool:
    return pod.is_template and pod.owner.get("kind") in _WITH_SELECTOR and "selector" not in mapping(pod.owner.get("spec"))
