"""Characters and escapes that kubectl's YAML reader refuses."""

import re
from collections.abc import Iterable
from typing import Any

from webhook.lint.faults import DocumentError

_SOLIDUS = re.compile(r"(?<!\\)(?:\\\\)*(\\/)")


def control_character(code: int, byte: int, text: str) -> DocumentError:
    """Return the error for the character `code` that stands at a byte of the text in UTF-8."""
    before = text.encode()[:byte].decode(errors="ignore")
    return DocumentError(f"a control character (U+{code:04X}) must not stand in YAML", len(before))


def refuse_solidus(text: str, events: Iterable[Any]) -> None:
    """Refuse the escape that YAML 1.2 added for JSON; raises `DocumentError` at it.

    `events` are those of the text; only a double-quoted scalar has escapes.
    """
    if "\\/" not in text:
        return
    for event in events:
        if getattr(event, "style", None) == '"':
            match = _SOLIDUS.search(text, event.start_mark.index, event.end_mark.index)
            if match:
                message = "'\\/' is no escape in YAML; write '/'"
                raise DocumentError(message, match.start(1))
