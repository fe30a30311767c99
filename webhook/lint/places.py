"""Where each node of a document is written: a tree that is built once a position is asked for."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from webhook.lint.aliases import MERGE_KEY
from webhook.lint.document import Parts
from webhook.lint.scalars import key_text, resolve, tagged

Kind = Literal["scalar", "mapping", "sequence"]
# (kind of event: scalar, mapping, sequence, alias, end; the event)
Token = tuple[str, Any]
# Anchors and tags before a value, with the blanks and comments that may follow them.
_PROPERTIES = re.compile(r"(?:[&!][^\s,\[\]{}]*(?:\s+#[^\n]*|\s)*)+")


@dataclass(slots=True, eq=False, repr=False)
class Place:
    """A node and the range of its value in the document's text: quotes included, anchor and tag not.

    `entries` are a mapping's (key, value) by key, merged ones included; `items` are a list's. `style`
    is a scalar's quote or block indicator, None where plain; `flow` tells `{}` and `[]` from blocks;
    `head` is the first key or item in the text.
    """

    kind: Kind
    start: int
    end: int
    style: str | None = None
    flow: bool = False
    written: str = ""
    entries: dict[str, tuple["Place", "Place"]] = field(default_factory=dict)
    items: list["Place"] = field(default_factory=list)
    head: "Place | None" = None

    @property
    def first(self) -> "Place":
        """Return the first scalar in the text of a block, the node itself in flow style."""
        place = self
        while not place.flow and place.head is not None:
            place = place.head
        return place


class Found(NamedTuple):
    """What stands at a path: `place` is None where nothing does, `nearest` is then the closest ancestor.

    `key` is the key of the place (or of its nearest ancestor), None for the root and a list's items.
    """

    place: Place | None
    nearest: Place
    key: Place | None

    @property
    def span(self) -> tuple[int, int]:
        """Return the range to show: the value, or the key where there is none or nothing is written."""
        if self.place is not None and self.place.start < self.place.end:
            return self.place.start, self.place.end
        shown = self.key or self.nearest.first
        return shown.start, shown.end


def find(root: Place, parts: Parts) -> Found:
    """Return what stands at `parts`."""
    place: Place = root
    key: Place | None = None
    for part in parts:
        if place.kind == "mapping" and part in place.entries:
            key, place = place.entries[str(part)]
        elif place.kind == "sequence" and isinstance(part, int) and 0 <= part < len(place.items):
            key, place = None, place.items[part]
        else:
            return Found(None, place, key)
    return Found(place, place, key)


def tree(tokens: Iterable[Token], text: str) -> Place:
    """Return the outermost node of a document; tokens that end early leave the tree short."""
    return _Planter(text).plant(tokens)


class _Planter:
    """Builds the tree in the order in which the data was built, so that the same values win."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._anchors: dict[str, Place] = {}
        self._written_end = 0
        self._root = Place("sequence", 0, 0)
        # (collection, the key that waits for its value, its JSON text; None for a merge key)
        self._open: list[tuple[Place, tuple[Place, str | None] | None]] = [(self._root, None)]

    def plant(self, tokens: Iterable[Token]) -> Place:
        for kind, event in tokens:
            if kind in ("mapping", "sequence"):
                self._start(event, "mapping" if kind == "mapping" else "sequence")
            elif kind == "end":
                self._put(self._finish(event), event)
            elif kind == "alias":
                self._written_end = event.end_mark.index
                self._put(self._anchors[event.anchor], event)
            else:
                self._put(self._leaf(event), event)
        while len(self._open) > 1:
            self._put(self._open.pop()[0], None)
        return self._root.items[0] if self._root.items else self._root

    def _start(self, event: Any, kind: Kind) -> None:
        start = self._after_properties(event.start_mark.index, len(self._text))
        place = Place(kind, start, start, flow=bool(event.flow_style))
        if event.anchor is not None:
            self._anchors[event.anchor] = place
        self._open.append((place, None))

    def _finish(self, event: Any) -> Place:
        place, _ = self._open.pop()
        if place.flow:
            self._written_end = event.end_mark.index
        # libyaml ends a block where the next token starts, behind blank lines and comments.
        place.end = max(self._written_end, place.start)
        return place

    def _leaf(self, event: Any) -> Place:
        end = event.end_mark.index
        start = self._after_properties(event.start_mark.index, end)
        if event.style in ("|", ">"):
            end = start + len(self._text[start:end].rstrip())
        self._written_end = end
        place = Place("scalar", start, end, style=event.style or None, written=event.value)
        if event.anchor is not None:
            self._anchors[event.anchor] = place
        return place

    def _after_properties(self, start: int, end: int) -> int:
        if self._text[start : start + 1] not in ("&", "!"):
            return start
        match = _PROPERTIES.match(self._text, start, end)
        return match.end() if match else start

    def _put(self, place: Place, event: Any) -> None:
        collection, waiting = self._open[-1]
        collection.head = collection.head or place
        if collection.kind == "sequence":
            collection.items.append(place)
        elif waiting is None:
            self._open[-1] = (collection, (place, _key_of(event)))
        else:
            key, text = waiting
            if text is None:
                _merge(collection, place)
            else:
                collection.entries[text] = (key, place)
            self._open[-1] = (collection, None)


def _key_of(event: Any) -> str | None:
    value = getattr(event, "value", None)
    if value == MERGE_KEY and (event.implicit[0] or event.tag):
        return None
    if value is not None and (event.implicit[0] or event.tag):
        value = resolve(value) if event.tag is None else tagged(value, event.tag)
    return value if isinstance(value, str) else key_text(value)


def _merge(collection: Place, place: Place) -> None:
    for part in reversed(place.items) if place.kind == "sequence" else (place,):
        collection.entries.update(part.entries)
