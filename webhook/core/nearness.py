"""Keys that are taken for a known one and are none: in another case, with letters that only look the same, one character off."""

import unicodedata
from collections.abc import Iterable


class NearMisses:
    """Tells keys that nobody reads from those that were meant; each known key belongs to a dialect."""

    __slots__ = ("_folded", "_sign")

    def __init__(self, known: Iterable[tuple[str, str]], sign: str) -> None:
        """Take pairs of a known key and its dialect's id, and a text that all of the keys contain."""
        self._folded = [(_folded(key), dialect) for key, dialect in known]
        self._sign = sign.lower()

    def may_be(self, key: str) -> bool:
        """Say, at the cost of a moment, whether a closer look is worth it: of most keys it is not."""
        return self._sign in key.lower() or not key.isascii()

    def dialect_of(self, key: str) -> str | None:
        """Return the id of the dialect one of whose keys was meant; the key itself must be no known one."""
        folded = _folded(key)
        return next((dialect for known, dialect in self._folded if _is_near(known, folded)), None)


def _folded(key: str) -> str:
    """Return a key without what people overlook: case, widths, characters without width, kinds of dashes."""
    text = unicodedata.normalize("NFKC", key).casefold()
    kept = ("-" if unicodedata.category(sign) in ("Pd", "Pc") else sign for sign in text if unicodedata.category(sign) not in ("Cf", "Mn"))
    return "".join(kept)


def _is_near(known: str, key: str) -> bool:
    if len(known) == len(key):
        odd = [other for one, other in zip(known, key, strict=True) if one != other]
        return len(odd) <= 1 or not any(map(str.isascii, odd))
    short, long = sorted((known, key), key=len)
    if len(long) - len(short) > 1:
        return False
    at = next((index for index, (one, other) in enumerate(zip(short, long, strict=False)) if one != other), len(short))
    return short[at:] == long[at + 1 :]
