"""Sets of keys of which some are known by their beginning only."""

from collections.abc import Iterable

_HEAD = 2


class KeyPatterns:
    """A set of keys in which a trailing * matches any ending; `patterns` are as they were given."""

    __slots__ = ("_exact", "_head", "_heads", "_prefixes", "patterns")

    def __init__(self, patterns: Iterable[str]) -> None:
        """Sort the patterns into exact keys and prefixes."""
        self.patterns = patterns = tuple(patterns)
        self._exact = frozenset(pattern for pattern in patterns if not pattern.endswith("*"))
        self._prefixes = tuple(pattern[:-1] for pattern in patterns if pattern.endswith("*"))
        # Hardly any key has the first characters of a prefix, which is told sooner than that it has none of them all.
        self._head = min((_HEAD, *map(len, self._prefixes)))
        self._heads = frozenset(prefix[: self._head] for prefix in self._prefixes)

    def __contains__(self, key: str) -> bool:
        """Say whether a key is one of them."""
        return key in self._exact or (key[: self._head] in self._heads and key.startswith(self._prefixes))

    def among(self, keys: Iterable[str]) -> list[str]:
        """Return those of the keys that are one of them."""
        exact, heads, head = self._exact, self._heads, self._head
        return [key for key in keys if key in exact or (key[:head] in heads and key.startswith(self._prefixes))]
