"""percard: admission webhook and manifest checker for GPU sharing over several cards.

    from webhook import build_engine

    verdict = build_engine().examine(pod)
    for finding in verdict.findings:
        print(finding.path, finding.text)

Each name is imported when it is first used, so that a program pays only for what it needs.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webhook.core.engine import Engine, Verdict
    from webhook.core.fieldpath import FieldPath
    from webhook.core.finding import Finding
    from webhook.core.patch import PatchOp
    from webhook.core.plugin import Check, Dialect, PluginError
    from webhook.core.share import GpuPod, GpuShare, Stage
    from webhook.settings import CheckSettings, DialectSettings, Settings, SettingsError, load_settings
    from webhook.wiring import build_engine

__all__ = [
    "Check",
    "CheckSettings",
    "Dialect",
    "DialectSettings",
    "Engine",
    "FieldPath",
    "Finding",
    "GpuPod",
    "GpuShare",
    "PatchOp",
    "PluginError",
    "Settings",
    "SettingsError",
    "Stage",
    "Verdict",
    "build_engine",
    "load_settings",
]

_HOMES = {
    "webhook.core.engine": ("Engine", "Verdict"),
    "webhook.core.fieldpath": ("FieldPath",),
    "webhook.core.finding": ("Finding",),
    "webhook.core.patch": ("PatchOp",),
    "webhook.core.plugin": ("Check", "Dialect", "PluginError"),
    "webhook.core.share": ("GpuPod", "GpuShare", "Stage"),
    "webhook.settings": ("CheckSettings", "DialectSettings", "Settings", "SettingsError", "load_settings"),
    "webhook.wiring": ("build_engine",),
}


# Hidden from type checkers, which would otherwise take every misspelt name for an object.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        for home, names in _HOMES.items():
            if name in names:
                return getattr(importlib.import_module(home), name)
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
