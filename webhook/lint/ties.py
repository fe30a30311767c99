"""Places of a document that must say the same: what is repaired in one of them is repaired in all."""

from collections.abc import Iterator
from typing import Any

from webhook.core.finding import ABSENT
from webhook.core.pod import same
from webhook.core.quantity import UnparsableError, parse_quantity
from webhook.lint.document import Parts


def tied(data: Any, parts: Parts) -> Iterator[Parts]:
    """Yield the other places that must say what the value at `parts` says, where they do so now."""
    value = _value_at(data, parts)
    for other in _others(parts):
        if _agree(value, _value_at(data, other)):
            yield other


def _others(parts: Parts) -> Iterator[Parts]:
    """Yield where Kubernetes wants the same value again."""
    match parts:
        case (*above, "resources", "limits", key):
            yield (*above, "resources", "requests", key)
        case (*above, "resources", "requests", key):
            yield (*above, "resources", "limits", key)
        case (*above, "template", "metadata", "labels", key):
            # A selector that does not match its own template is refused; a ReplicationController's has no `matchLabels`.
            yield (*above, "selector", "matchLabels", key)
            yield (*above, "selector", key)


def _value_at(data: Any, parts: Parts) -> Any:
    for part in parts:
        if isinstance(data, dict):
            data = data.get(part, ABSENT)
        elif isinstance(data, list) and isinstance(part, int) and part < len(data):
            data = data[part]
        else:
            return ABSENT
    return data


def _agree(one: Any, other: Any) -> bool:
    """Say whether two values are the same, or the same quantity."""
    if one is ABSENT or other is ABSENT:
        return False
    try:
        return same(one, other) or parse_quantity(one) == parse_quantity(other)
    except UnparsableError:
        return False
