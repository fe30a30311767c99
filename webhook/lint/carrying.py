"""A YAML document's text carried over to changed data: only what changes is written anew, comments stay."""

from collections.abc import Iterator, Mapping
from typing import Any

from webhook.core.pod import same
from webhook.lint.chunks import Chunk
from webhook.lint.document import Document, Parts
from webhook.lint.documents import dump
from webhook.lint.edits import Edit, applied
from webhook.lint.faults import DocumentError
from webhook.lint.places import Place
from webhook.lint.reading import read


class _CannotCarryError(Exception):
    """The text is written in a way that no small edit can change."""


def carried(document: Document, data: Any) -> str | None:
    """Return the document's text with `data` in it, None where that takes writing it anew.

    The result is read again before it is trusted.
    """
    if document.text.lstrip().startswith(("{", "[")):
        return None
    try:
        text = applied(document.text, set(_edits(document, (), document.data, data)))
    except _CannotCarryError:
        return None
    return text if _says(text, data) else None


def _says(text: str, data: Any) -> bool:
    try:
        documents = list(read(Chunk(text, 0)))
    except DocumentError:
        return False
    return len(documents) == 1 and same(documents[0].data, data)


def _edits(document: Document, parts: Parts, old: Any, new: Any) -> Iterator[Edit]:
    """Yield what turns the text of `old` into that of `new`."""
    if same(old, new):
        return
    place = document.found(parts).place
    if place is None:
        raise _CannotCarryError
    if isinstance(old, dict) and isinstance(new, dict) and old and new:
        yield from _in_mapping(document, parts, place, (old, new))
    elif isinstance(old, list) and isinstance(new, list) and len(old) <= len(new):
        yield from _in_list(document, parts, place, (old, new))
    elif place.kind == "scalar" and place.style not in ("|", ">") and not isinstance(new, dict | list):
        yield Edit(place.start, place.end, _value(new))
    else:
        raise _CannotCarryError


def _in_mapping(document: Document, parts: Parts, place: Place, data: tuple[Any, Any]) -> Iterator[Edit]:
    old, new = data
    if place.flow:
        yield Edit(place.start, place.end, _flow(new))
        return
    gone = [key for key in old if key not in new]
    come = [key for key in new if key not in old]
    for key in old:
        if key in new:
            yield from _edits(document, (*parts, key), old[key], new[key])
    # A comment beside a key that goes would lie about the one that comes: the line goes as a whole.
    for key in gone:
        yield _without(document.text, place.entries[key])
    if come:
        yield _below(document.text, place, dump([{key: new[key] for key in come}]))


def _without(text: str, entry: tuple[Place, Place]) -> Edit:
    """Return the edit that takes out the lines of an entry."""
    key, value = entry
    start = text.rfind("\n", 0, key.start) + 1
    if text[start : key.start].strip():
        raise _CannotCarryError
    return Edit(start, _line_end(text, max(key.end, value.end)), "")


def _below(text: str, place: Place, lines: str) -> Edit:
    """Return the edit that writes lines below a collection in block style."""
    indent = " " * (place.start - text.rfind("\n", 0, place.start) - 1)
    end = _line_end(text, place.end)
    added = "".join(f"{indent}{line}\n" for line in lines.splitlines())
    return Edit(end, end, added if text[:end].endswith("\n") else f"\n{added}")


def _in_list(document: Document, parts: Parts, place: Place, data: tuple[Any, Any]) -> Iterator[Edit]:
    old, new = data
    for index, item in enumerate(old):
        yield from _edits(document, (*parts, index), item, new[index])
    if len(new) > len(old):
        if place.flow or not old:
            raise _CannotCarryError
        yield _below(document.text, place, dump([new[len(old) :]]))


def _line_end(text: str, index: int) -> int:
    end = text.find("\n", index)
    return len(text) if end < 0 else end + 1


def _value(value: Any) -> str:
    """Return a scalar as YAML."""
    return dump([{"k": value}]).removeprefix("k: ").rstrip("\n")


def _name(key: str) -> str:
    return dump([{key: 0}]).removesuffix(": 0\n")


def _flow(data: Mapping[str, Any]) -> str:
    if any(isinstance(value, dict | list) for value in data.values()):
        raise _CannotCarryError
    return f"{{{', '.join(f'{_name(key)}: {_value(value)}' for key, value in data.items())}}}"
