"""Texts that mention keys of dialects that are known but off: nobody judges them, and that is told."""

from collections.abc import Iterable

from webhook.core.engine import Engine
from webhook.core.plugin import Dialect

# What all keys of sharing contain: most texts do not, which one search tells.
_SIGN = "gpu"


class LeftOut:
    """Tells which dialects a text without marks would concern if they were on."""

    def __init__(self, engine: Engine) -> None:
        """Look up the keys of the dialects that are off."""
        self._keys = {dialect.id: keys for dialect in engine.off if (keys := tuple(_keys(dialect)))}
        self._as_bytes = {name: tuple(key.encode() for key in keys) for name, keys in self._keys.items()}

    def dialects(self, text: str | bytes) -> list[str]:
        """Return the ids of the dialects whose keys a text mentions."""
        if isinstance(text, str):
            return [name for name, keys in self._keys.items() if any(key in text for key in keys)] if _SIGN in text else []
        return [name for name, keys in self._as_bytes.items() if any(key in text for key in keys)] if _SIGN.encode() in text else []


def _keys(dialect: Dialect) -> Iterable[str]:
    """Return the resources that are nobody else's; annotations are bare words in some stacks, which may mean anything."""
    return [key for key in (*dialect.marks.values(), *dialect.families) if _SIGN in key]
