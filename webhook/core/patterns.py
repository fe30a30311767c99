"""Sets of keys of which some are known by their beginning only."""

from collections.abc import Iterable


class KeyPatterns:
    """A set of keys in which a trailing * matches any ending; `patterns` are as they were given."""

    __slots__ = ("_exact", "_prefixes", "patterns")

    def __init__(self, patterns: Iterable[str]) -> None:
        """Sort the patterns into exact keys and prefixes."""
        self.patterns = patterns = tuple(patterns)
        self._exact = frozenset(pattern for pattern in patterns if not pattern.endswith("*"))
        self._prefixes = tuple(pattern[:-1] for pattern in patterns if pattern.endswith("*"))

    def __contains__(self, key: str) -> bool:
        """Say whether a key is one of them."""
        return key in self._exact or key.startswith(self._prefixes)

    def among(self, keys: Iterable[str]) -> list[str]:
        """Return those of the keys that are one of them."""
        exact, prefixes = self._exact, self._prefixes
        return [key for key in keys if key in exact or key.startswith(prefixes)]
