"""Stamps what is built with the revision that it is built from, so that `percard --version` can tell it."""

import importlib.util
import os
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Said where .git is not there, as in the build of the image.
_VARIABLE = "SOURCE_REVISION"


class Stamp(BuildHookInterface[Any]):
    """The hook that hatchling runs before it builds a wheel or an archive of the sources."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the stamp where the revision is known; a checkout that is installed in place is asked when it runs."""
        if version == "editable":
            return
        root = Path(self.root)
        source = _module(root / "webhook" / "cli" / "revision.py")
        # An archive of the sources has its stamp already. It is added in the same way, so that all come out the same.
        if revision := source.stamped(root) or os.environ.get(_VARIABLE) or source.checked_out(root):
            self._folder = tempfile.TemporaryDirectory()
            stamp = Path(self._folder.name, "revision.txt")
            stamp.write_text(f"{revision}\n", encoding="utf-8")
            build_data["force_include"][str(stamp)] = source.STAMP.as_posix()


def _module(file: Path) -> Any:
    """Return a module of the project, which is not installed where it is built."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        message = f"{file} must be there"
        raise ImportError(message)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
