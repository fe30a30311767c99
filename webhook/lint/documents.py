"""Text into documents: the data that kubectl would send, and where each value of it is written.

PyYAML's C parser gives events with marks; its resolver and constructors, which are neither kubectl's
nor fast, stay out. The only module that imports yaml.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from yaml import dump_all
from yaml.cyaml import CParser, CSafeDumper
from yaml.error import MarkedYAMLError, YAMLError
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    StreamStartEvent,
)
from yaml.reader import ReaderError

from webhook.lint import jsontext
from webhook.lint.aliases import MERGE_KEY, Anchors, merge
from webhook.lint.chunks import Chunk
from webhook.lint.faults import DocumentFault, Position, position_of
from webhook.lint.places import Place, Token, find, tree
from webhook.lint.scalars import HINTS, ScalarError, key_text, resolve, tagged

_NO_KEY: Any = object()
_MERGE: Any = object()
_MERGE_TAG = "tag:yaml.org,2002:merge"
_SOLIDUS = re.compile(r'(?<!\\)(?:\\\\)*(\\/)')
_QUIET = frozenset({StreamStartEvent, DocumentStartEvent})
_ENDS = frozenset({MappingEndEvent, SequenceEndEvent})
_KINDS = {
    ScalarEvent: "scalar",
    MappingStartEvent: "mapping",
    SequenceStartEvent: "sequence",
    AliasEvent: "alias",
    MappingEndEvent: "end",
    SequenceEndEvent: "end",
}


class Document:
    """One document of a file: its data, and where each part of it is written.

    `text` is the text that it was cut from, with `lines_before` lines of the file above it; `start`
    is where the document begins in `text` (more than 0 only for JSON values that follow one another).
    """

    __slots__ = ("_events", "_root", "data", "lines_before", "start", "text")

    def __init__(self, data: Any, text: str, *, start: int = 0, lines_before: int = 0, events: list[Any] | None = None) -> None:
        """Wrap `data`; `events` are its YAML events, None for JSON."""
        self.data, self.text, self.start, self.lines_before = data, text, start, lines_before
        self._events = events
        self._root: Place | None = None

    def locate(self, parts: tuple[str | int, ...]) -> Position:
        """Return where the value at `parts` is written, quotes included.

        Where it does not exist: the key of the nearest ancestor that does.
        """
        return self.position(*self.span(parts))

    def span(self, parts: tuple[str | int, ...]) -> tuple[int, int]:
        """Return what `locate` does as indexes of `text`."""
        start, end = find(self.root, parts).span
        return start + self.start, end + self.start

    def position(self, start: int, end: int) -> Position:
        """Return the position of `text[start:end]`."""
        return position_of(self.text, start, end, self.lines_before)

    @property
    def root(self) -> Place:
        """Return the document's outermost node; indexes of places count from `start`."""
        if self._root is None:
            text = self.text[self.start :] if self.start else self.text
            events = _json_events(text) if self._events is None else self._events
            self._root = tree(_tokens(events), text)
        return self._root


def _tokens(events: Iterable[Any]) -> Iterator[Token]:
    for event in events:
        kind = _KINDS.get(type(event))
        if kind is not None:
            yield kind, event


def _json_events(text: str) -> list[Any]:
    builder = _Builder(jsontext.without_surrogate_pairs(text))
    try:
        builder.build()
    except (DocumentFault, YAMLError):
        # JSON that YAML does not read: what follows is located by its nearest ancestor.
        return builder.events
    return builder.events


def read(chunk: Chunk) -> Iterator[Document]:
    """Yield the documents of a chunk: one, or for JSON as many as follow one another; null is none.

    Raises `DocumentFault` for what kubectl cannot read, and for duplicate keys.
    """
    # Like kubectl, which ends the last line and reads U+FFFD for what is no UTF-8.
    text = chunk.data.decode("utf-8", "replace")
    if chunk.fault is not None:
        raise DocumentFault(chunk.fault, 0)
    if text.lstrip().startswith(("{", "[")):
        yield from _read_flow(text, chunk.line)
        return
    builder = _Builder(text)
    data = builder.build()
    if data is not None:
        yield Document(data, text, lines_before=chunk.line, events=builder.events)


def _read_flow(text: str, line: int) -> Iterator[Document]:
    """Yield JSON values, or the YAML that looks like JSON at first."""
    try:
        values = list(jsontext.documents(text))
    except jsontext.NotJsonError:
        builder = _Builder(text)
        yield Document(builder.build(alone=True), text, lines_before=line, events=builder.events)
    else:
        yield from (Document(value, text, start=start, lines_before=line) for value, start in values)


def dump(values: Iterable[Any]) -> str:
    """Return values as a YAML stream, keys in their order."""
    return str(dump_all(values, Dumper=CSafeDumper, sort_keys=False, allow_unicode=True, width=2**31 - 1))


class _Builder:
    """Turns the events of one YAML document into data, and keeps the events."""

    __slots__ = ("_anchors", "_merged", "_text", "events")

    def __init__(self, text: str) -> None:
        self._text = text
        self._anchors = Anchors()
        self._merged: dict[int, set[str]] = {}
        self.events: list[Any] = []

    def build(self, *, alone: bool = False) -> Any:
        """Return the data of the text's first document, None where there is none.

        `alone` refuses a text that goes on after it.
        """
        try:
            parser = CParser(self._text if self._text.endswith("\n") else f"{self._text}\n")
            data = self._build(parser.get_event)
            if alone and type(parser.get_event()) is not StreamEndEvent:
                raise DocumentFault("the text must end with the document", len(self._text))
            self._refuse_solidus()
            return data
        except ReaderError as error:
            raise _control_character(error, self._text) from None
        except MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            raise DocumentFault(" ".join(filter(None, (error.problem, error.context))), mark.index if mark else 0) from None

    def _refuse_solidus(self) -> None:
        """Refuse the escape that YAML 1.2 added for JSON: kubectl's reader does not know it."""
        if "\\/" not in self._text:
            return
        for event in self.events:
            if type(event) is ScalarEvent and event.style == '"':
                match = _SOLIDUS.search(self._text, event.start_mark.index, event.end_mark.index)
                if match:
                    raise DocumentFault("'\\/' is no escape in YAML; write '/'", match.start(1))

    def _build(self, read_event: Callable[[], Any]) -> Any:  # noqa: C901, PLR0912 - one loop over some seventy events a document is what the checker's speed rests on
        keep = self.events.append
        stack: list[tuple[Any, Any]] = []
        root: list[Any] = []
        container: Any = root
        key: Any = _NO_KEY
        while True:
            event = read_event()
            keep(event)
            kind = type(event)
            if kind is ScalarEvent:
                value = event.value
                if event.tag is not None or event.anchor is not None or (event.implicit[0] and value[:1] in HINTS):
                    value = self._scalar(event)
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                stack.append((container, key))
                container, key = {} if kind is MappingStartEvent else [], _NO_KEY
                if event.anchor is not None:
                    self._anchors.opened(event.anchor, container, len(self.events))
                continue
            elif kind in _ENDS:
                value = container
                self._anchors.closed(value, len(self.events))
                container, key = stack.pop()
            elif kind is AliasEvent:
                value = self._anchors.alias(event.anchor, len(self.events), event.start_mark.index)
            elif kind in _QUIET:
                continue
            else:
                return root[0] if root else None
            if type(container) is list:
                container.append(value)
            elif key is _NO_KEY:
                key = value if type(value) is str and value not in container and value != MERGE_KEY else self._key(event, value, container)
            else:
                if key is _MERGE:
                    self._merged.setdefault(id(container), set()).update(
                        merge(container, value, event.start_mark.index, aliased=kind is AliasEvent)
                    )
                else:
                    container[key] = value
                key = _NO_KEY

    def _scalar(self, event: Any) -> Any:
        value = event.value
        try:
            if event.tag is not None:
                value = tagged(value, event.tag)
            elif event.implicit[0]:
                value = resolve(value)
        except ScalarError as error:
            raise DocumentFault(str(error), event.start_mark.index) from None
        if event.anchor is not None:
            self._anchors.scalar(event.anchor, value)
        return value

    def _key(self, event: Any, value: Any, container: dict[str, Any]) -> Any:
        if value == MERGE_KEY and type(event) is ScalarEvent and (event.implicit[0] or event.tag == _MERGE_TAG):
            return _MERGE
        try:
            key = value if type(value) is str else key_text(value)
        except ScalarError as error:
            raise DocumentFault(str(error), event.start_mark.index) from None
        merged = self._merged.get(id(container), set())
        if key in container and key not in merged:
            message = f"duplicate key '{key}'"
            raise DocumentFault(message, event.start_mark.index)
        merged.discard(key)
        return key


def _control_character(error: ReaderError, text: str) -> DocumentFault:
    code = error.character if isinstance(error.character, int) else ord(error.character)
    before = text.encode()[: error.position].decode(errors="ignore")
    return DocumentFault(f"a control character (U+{code:04X}) must not stand in YAML", len(before))
