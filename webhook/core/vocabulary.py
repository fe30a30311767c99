"""Which key belongs to which dialect: built once, asked for every key of every container."""

import re
from collections.abc import Iterable, Sequence
from typing import TypeVar

from webhook.core.nearness import NearMisses
from webhook.core.patterns import KeyPatterns
from webhook.core.plugin import Dialect, PluginError

# An escape other than the five that Go's encoder writes for <, >, & and two line separators
# could spell a mark in other bytes (encoding/json, HTMLEscape).
_HIDING_ESCAPE = re.compile(rb"\\(?:/|u(?!003[ceCE]|0026|202[89]))")
# YAML has more of them, and may fold a quoted key over two lines.
_HIDING_YAML_ESCAPE = re.compile(r"\\(?:[/xU\r\n]|u(?!003[ceCE]|0026|202[89]))")
# Keys of stacks that percard reads no dialect of, but whose schedulers trust them when they find them.
_OTHER_SCHEDULERS_KEYS = (
    "hami.io/vgpu-*",
    "hami.io/bind-*",
    "scheduling.koordinator.sh/device-allocated",
    "runai-gpu-group*",
    "runai/shared-gpu-configmap",
)
_Value = TypeVar("_Value")


class Vocabulary:
    """The keys of all dialects in force.

    `roles` maps a resource key to (dialect id, role), `pod_keys` a pod-level key to its dialect id,
    `pod_marks` those of them that identify a dialect alone, `families` are (prefix, dialect id).
    `near_roles` and `near_pod_keys` know what is taken for a key of the first or of the second kind.
    Raises `PluginError` where two dialects claim one key.
    """

    __slots__ = (
        "_common",
        "_marks",
        "_marks_as_bytes",
        "families",
        "family_prefixes",
        "foreign",
        "near_pod_keys",
        "near_roles",
        "pod_keys",
        "pod_marks",
        "reserved",
        "roles",
        "whole_cards",
    )

    def __init__(self, dialects: Sequence[Dialect], whole_card_keys: Iterable[str]) -> None:
        """Build the tables."""
        self.roles = _unique((key, (dialect.id, role)) for dialect in dialects for role, key in dialect.marks.items())
        self.pod_keys = _unique((key, dialect.id) for dialect in dialects for key in dialect.pod_keys)
        self.pod_marks = {key: dialect.id for dialect in dialects if dialect.amount_place != "resources" for key in dialect.pod_keys}
        self.families = tuple((prefix, dialect.id) for dialect in dialects for prefix in dialect.families)
        self.family_prefixes = tuple(prefix for prefix, _ in self.families)
        self.foreign = {key: dialect.id for dialect in dialects for key in dialect.foreign_keys}
        self.reserved = KeyPatterns([*_OTHER_SCHEDULERS_KEYS, *(key for dialect in dialects for key in dialect.reserved_keys)])
        self.whole_cards = KeyPatterns(whole_card_keys)
        self._marks = tuple(shortest([*self.roles, *self.pod_keys, *self.family_prefixes]))
        self._marks_as_bytes = tuple(mark.encode() for mark in self._marks)
        common = _longest_common(self._marks)
        self._common = common.encode()
        self.near_roles = NearMisses(((key, dialect) for key, (dialect, _) in self.roles.items()), common)
        self.near_pod_keys = NearMisses(self.pod_keys.items(), common)

    def family_of(self, key: str) -> str:
        """Return the id of the dialect whose family a key belongs to."""
        return next(dialect for prefix, dialect in self.families if key.startswith(prefix))

    def mentions_marks(self, text: str | bytes) -> bool:
        """Say whether a JSON or YAML text can hold a key of any dialect."""
        if isinstance(text, str):
            return any(mark in text for mark in self._marks) or ("\\" in text and _HIDING_YAML_ESCAPE.search(text) is not None)
        if self._common in text:
            for mark in self._marks_as_bytes:
                if mark in text:
                    return True
        return b"\\" in text and _HIDING_ESCAPE.search(text) is not None


def _unique(pairs: Iterable[tuple[str, _Value]]) -> dict[str, _Value]:
    table: dict[str, _Value] = {}
    for key, value in pairs:
        if key in table:
            message = f"two dialects claim the key {key}"
            raise PluginError(message)
        table[key] = value
    return table


def _longest_common(texts: Sequence[str]) -> str:
    """Return a text that all contain, as long as can be: most bodies hold none of them, which one search tells."""
    shortest = min(texts, key=len, default="")
    parts = (shortest[start:end] for start in range(len(shortest)) for end in range(start + 1, len(shortest) + 1))
    return max((part for part in parts if all(part in text for text in texts)), key=len, default="")


def shortest(keys: Sequence[str]) -> list[str]:
    """Return the keys that no other key is the beginning of: they stand for the others in a search, in the order of the dialects."""
    known = dict.fromkeys(keys)
    return [key for key in known if not any(other != key and key.startswith(other) for other in known)]
