"""Reads a settings file: one YAML document of nested mappings, each value with its line."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

import yaml

from webhook.core.finding import quoted
from webhook.settings.entries import Entry, Path, dotted
from webhook.settings.kinds import plain_scalar
from webhook.settings.problems import Problem, SettingsError

# Settings are at most three names deep; what nests deeper is wrong, or refers to itself.
_MOST_NAMES = 4
_UNTAGGED = {"tag:yaml.org,2002:str", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"}


def read_document(file: FilePath) -> tuple[list[Entry], list[Problem]]:
    """Return the settings of a file, and what is wrong with single lines of it.

    Raises `SettingsError` where the file cannot be read or is no YAML mapping.
    """
    try:
        root = yaml.compose(file.read_bytes(), Loader=yaml.BaseLoader)
    except OSError as error:
        raise _unusable(file, f"the settings file cannot be read: {error.strerror}") from None
    except RecursionError:
        raise _unusable(file, "the settings file is no YAML: it nests too deeply") from None
    except yaml.YAMLError as error:
        raise _unusable(file, f"the settings file is no YAML: {_one_line(error)}") from None
    if root is not None and not isinstance(root, yaml.MappingNode) and _value(root) is not None:
        raise _unusable(file, "the settings file must be a mapping")
    reader = _Reader(file, [])
    entries = list(reader.entries(root, ())) if isinstance(root, yaml.MappingNode) else []
    return entries, reader.problems


def _unusable(file: FilePath, message: str) -> SettingsError:
    return SettingsError([Problem("", message, str(file))])


def _one_line(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    where = f" in line {mark.line + 1}, column {mark.column + 1}" if mark else ""
    return f"{getattr(error, 'problem', None) or getattr(error, 'reason', 'unreadable')}{where}"


@dataclass(frozen=True, slots=True)
class _Reader:
    file: FilePath
    problems: list[Problem]

    def entries(self, node: Any, path: Path) -> Iterator[Entry]:
        """Yield the leaves below a mapping."""
        seen: set[str] = set()
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else "?"
            if name in seen:
                self.problems.append(Problem(dotted((*path, name)), "must not be given twice", self._origin(key)))
            seen.add(name)
            yield from self._entry(key, value, (*path, name))

    def _entry(self, key: Any, value: Any, path: Path) -> Iterator[Entry]:
        if value.tag not in _UNTAGGED:
            self.problems.append(Problem(dotted(path), f"must have no tag {quoted(value.tag)}", self._origin(value)))
        elif isinstance(value, yaml.MappingNode) and value.value and len(path) < _MOST_NAMES:
            yield from self.entries(value, path)
        else:
            yield Entry(path, _value(value), self._origin(key))

    def _origin(self, node: Any) -> str:
        return f"{self.file}, line {node.start_mark.line + 1}"


def _value(node: Any) -> Any:
    if isinstance(node, yaml.MappingNode):
        return {} if node.value else None
    if isinstance(node, yaml.SequenceNode):
        return [_value(item) if isinstance(item, yaml.ScalarNode) else {} for item in node.value]
    return node.value if node.style else plain_scalar(node.value)
