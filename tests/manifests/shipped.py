"""The shipped manifests as data."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from tools.manifests import MANIFESTS, rendered

Object = dict[str, Any]
CONFIGURATIONS = ("base/webhooks/mutating.yaml", "base/webhooks/validating.yaml", "overlays/audit-first/validating.yaml")
OVERLAYS = ("self-signed", "cert-manager", "audit-first")


def documents(text: str) -> list[Object]:
    """Return the objects of a YAML text."""
    return [document for document in yaml.safe_load_all(text) if document]


def read(name: str) -> Object:
    """Return the one object of a file."""
    (found,) = documents((MANIFESTS / name).read_text(encoding="utf-8"))
    return found


def entries(name: str) -> list[Object]:
    """Return the webhooks of a configuration."""
    found: list[Object] = read(name)["webhooks"]
    return found


def overlay(name: str) -> list[Object]:
    """Return the objects of an overlay; skips the test where there is no kubectl."""
    return documents(rendered_folder(MANIFESTS / "overlays" / name))


def rendered_folder(folder: Path) -> str:
    """Return what `kubectl kustomize` prints; skips the test where there is no kubectl."""
    text = rendered(folder)
    if text is None:
        pytest.skip("kubectl is needed to render the manifests")
    return text


def of_kind(objects: list[Object], kind: str, name: str) -> Object:
    """Return the object of a kind and name."""
    (found,) = (obj for obj in objects if (obj["kind"], obj["metadata"]["name"]) == (kind, name))
    return found
