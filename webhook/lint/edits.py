"""The smallest changes of a text that give a value another spelling, or a mapping another entry."""

import json
import re
from collections.abc import Iterable
from typing import NamedTuple

from webhook.lint.document import Document, Parts
from webhook.lint.places import Place
from webhook.lint.scalars import ScalarError, resolve

# Values that need no escape in either kind of quotes; percard suggests no others.
_SIMPLE = re.compile(r"[A-Za-z0-9_.,/+-]+")
_TEXT_ONLY = frozenset({"labels", "annotations", "matchLabels", "selector"})


class Edit(NamedTuple):
    """Replace `text[start:end]`; equal indexes insert."""

    start: int
    end: int
    replacement: str


def applied(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with edits made that do not overlap."""
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.replacement + text[edit.end :]
    return text


def replacing(document: Document, parts: Parts, value: str) -> Edit | None:
    """Return the edit that writes another value in the place and style of a scalar, None where that is no simple one."""
    return writing(document, parts, value) if _SIMPLE.fullmatch(value) else None


def writing(document: Document, parts: Parts, value: str) -> Edit | None:
    """Return the edit that writes any text of printable ASCII in the place of a scalar, None where that is none on one line."""
    place = document.found(parts).place
    if place is None or place.kind != "scalar" or place.style in ("|", ">") or place.start == place.end:
        return None
    spelt = _spelt(value, place.style, text_only=len(parts) > 1 and parts[-2] in _TEXT_ONLY)
    return Edit(place.start + document.start, place.end + document.start, spelt)


def _spelt(value: str, quote: str | None, *, text_only: bool) -> str:
    if quote is None and _SIMPLE.fullmatch(value):
        return f'"{value}"' if text_only and not _is_text(value) else value
    if quote == '"':
        return json.dumps(value)
    return "'{}'".format(value.replace("'", "''"))


def _is_text(value: str) -> bool:
    try:
        return isinstance(resolve(value), str)
    except ScalarError:
        return False


def adding(document: Document, parts: Parts, value: str) -> Edit | None:
    """Return the edit that adds an entry to the mapping above `parts`, None where there is none with entries."""
    *above, key = parts
    mapping = document.found(tuple(above)).place
    if mapping is None or mapping.kind != "mapping" or mapping.head is None or not isinstance(key, str) or not _SIMPLE.fullmatch(value):
        return None
    if mapping.flow:
        return _in_flow(document, mapping, key, value)
    return _in_block(document, mapping, key, value)


def _in_flow(document: Document, mapping: Place, key: str, value: str) -> Edit:
    quoted = f'"{key}"' if mapping.head is not None and mapping.head.style == '"' else key
    end = max(place.end for entry in mapping.entries.values() for place in entry) + document.start
    return Edit(end, end, f', {quoted}: "{value}"')


def _in_block(document: Document, mapping: Place, key: str, value: str) -> Edit:
    text = document.text
    start = mapping.start + document.start
    indent = " " * (start - text.rfind("\n", 0, start) - 1)
    end = text.find("\n", mapping.end + document.start)
    line = f'{indent}{key}: "{value}"'
    if end < 0:
        return Edit(len(text), len(text), f"\n{line}")
    crlf = text[end - 1 : end] == "\r"
    return Edit(end + 1, end + 1, f"{line}\r\n" if crlf else f"{line}\n")
