"""Anchors, aliases and merge keys of one document, with the limits that stop an alias bomb.

Source: `decode.go` of go.yaml.in/yaml/v2 (`allowedAliasRatio`, `merge`).
"""

from typing import Any

from webhook.lint.faults import DocumentError

MERGE_KEY = "<<"
# Nodes up to which nearly all may come from aliases, and from which only a tenth may.
_LOW, _HIGH = 400_000, 4_000_000
_FREE_ALIASED, _FREE_NODES = 100, 1_000


class Anchors:
    """The anchored values of one document, and how much its aliases expand."""

    __slots__ = ("_aliased", "_open", "_sizes", "_values")

    def __init__(self) -> None:
        """Start without anchors."""
        self._values: dict[str, Any] = {}
        self._open: dict[int, int] = {}
        self._sizes: dict[int, int] = {}
        self._aliased = 0

    def scalar(self, name: str, value: Any) -> None:
        """Remember a scalar."""
        self._values[name] = value

    def opened(self, name: str, value: Any, nodes: int) -> None:
        """Remember a collection that starts after `nodes` nodes of the document."""
        self._values[name] = value
        self._open[id(value)] = nodes + self._aliased

    def closed(self, value: Any, nodes: int) -> None:
        """Measure a collection that ends after `nodes` nodes."""
        start = self._open.pop(id(value), None)
        if start is not None:
            self._sizes[id(value)] = nodes + self._aliased - start

    def alias(self, name: str, nodes: int, index: int) -> Any:
        """Return the value that an alias stands for.

        Raises `DocumentError` for an unknown anchor, one inside itself, and excessive expansion.
        """
        if name not in self._values:
            message = f"unknown anchor '{name}'"
            raise DocumentError(message, index)
        value = self._values[name]
        if id(value) in self._open and type(value) in (dict, list):
            message = f"anchor '{name}' contains itself"
            raise DocumentError(message, index)
        self._aliased += self._sizes.get(id(value), 1)
        total = nodes + self._aliased
        if self._aliased > _FREE_ALIASED and total > _FREE_NODES and self._aliased > total * _allowed_ratio(total):
            message = "the document's aliases expand too far"
            raise DocumentError(message, index)
        return value


def _allowed_ratio(nodes: int) -> float:
    if nodes <= _LOW:
        return 0.99
    return 0.10 if nodes >= _HIGH else 0.99 - 0.89 * (nodes - _LOW) / (_HIGH - _LOW)


def merge(into: dict[str, Any], value: Any, index: int, *, aliased: bool) -> set[str]:
    """Apply a merge key, and return the keys that it set; `aliased` says that the value is an alias.

    As in Go's reader, it overwrites what the mapping had before it; of several mappings the first wins.
    """
    parts = value if type(value) is list and not aliased else [value]
    if not all(type(part) is dict for part in parts):
        message = "a merge key '<<' must have a mapping or a list of mappings as its value"
        raise DocumentError(message, index)
    keys: set[str] = set()
    for part in reversed(parts):
        into.update(part)
        keys.update(part)
    return keys
