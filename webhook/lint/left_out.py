"""Texts that mention keys of dialects that are known but off: nobody judges them, and that is told."""

from collections.abc import Iterable

from webhook.core.engine import Engine
from webhook.core.plugin import Dialect

# What all keys of sharing contain: most texts do not, which one search tells.
SIGN = b"gpu"


class LeftOut:
    """Tells which dialects a text without marks would concern if they were on."""

    def __init__(self, engine: Engine) -> None:
        """Look up the keys of the dialects that are off."""
        self._keys = {dialect.id: [key.encode() for key in _keys(dialect)] for dialect in engine.off}

    def dialects(self, text: bytes) -> list[str]:
        """Return the ids of the dialects whose keys a text mentions."""
        return [name for name, keys in self._keys.items() if any(key in text for key in keys)] if SIGN in text else []


def _keys(dialect: Dialect) -> Iterable[str]:
    """Return the resources that are nobody else's; annotations are bare words in some stacks, which may mean anything."""
    return [key for key in (*dialect.marks.values(), *dialect.families) if SIGN.decode() in key]
