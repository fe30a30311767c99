"""The text of a YAML document into the data that kubectl would send, and values into YAML text.

PyYAML's C parser gives events with marks; its resolver and constructors, which are neither kubectl's
nor fast, stay out. The only module that imports yaml.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from yaml import dump_all
from yaml._yaml import CParser
from yaml.cyaml import CSafeDumper
from yaml.error import MarkedYAMLError
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
from yaml.nodes import ScalarNode
from yaml.reader import ReaderError

from webhook.lint.aliases import MERGE_KEY, Anchors, merge
from webhook.lint.characters import control_character, refuse_solidus
from webhook.lint.faults import DocumentError, explained
from webhook.lint.places import Token
from webhook.lint.scalars import HINTS, ScalarError, key_text, resolve, tagged

_NO_KEY: Any = object()
_MERGE: Any = object()
_MERGE_TAG = "tag:yaml.org,2002:merge"
_NEVER_FOLD = 2**31 - 1
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


class _Dumper(CSafeDumper):
    """Writes text so that kubectl reads it as text: PyYAML would leave `y`, `0o10` and `1e3` unquoted."""

    def represent_text(self, text: str) -> ScalarNode:
        """Return the node of a text: a block where it has several lines, quoted where it must be."""
        style = "|" if "\n" in text else _quotes_for(text)
        return self.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - PyYAML's signature
        """Say that nothing is written as an alias."""
        return True


_Dumper.add_representer(str, _Dumper.represent_text)


def _quotes_for(text: str) -> str | None:
    if text[:1] not in HINTS:
        return None
    try:
        return None if resolve(text) is text else '"'
    except ScalarError:
        return '"'


def dump(values: Iterable[Any]) -> str:
    """Return values as a YAML stream, keys in their order, that kubectl reads back as the same values."""
    return str(dump_all(values, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_NEVER_FOLD))


class YamlText:
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
            return self._read(alone=alone)
        except DocumentError as error:
            raise DocumentError(explained(error.message, self._text, error.index), error.index) from None

    def _read(self, *, alone: bool) -> Any:
        try:
            parser = CParser(self._text if self._text.endswith("\n") else f"{self._text}\n")
            data = self._build(parser.get_event)
            if alone and type(parser.get_event()) is not StreamEndEvent:
                message = "the text must end with the document"
                raise DocumentError(message, len(self._text))
            refuse_solidus(self._text, self.events)
        except ReaderError as error:
            code = error.character if isinstance(error.character, int) else ord(error.character)
            raise control_character(code, error.position, self._text) from None
        except MarkedYAMLError as error:
            index = getattr(error.problem_mark or error.context_mark, "index", 0)
            raise DocumentError(" ".join(filter(None, (error.problem, error.context))), index) from None
        return data

    def tokens(self) -> Iterator[Token]:
        """Yield the events as the tree of places takes them."""
        for event in self.events:
            kind = _KINDS.get(type(event))
            if kind is not None:
                yield kind, event

    def _build(self, read_event: Callable[[], Any]) -> Any:  # noqa: C901 - one branch a kind of event
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
            key = self._put(container, key, value, event)

    def _put(self, container: Any, key: Any, value: Any, event: Any) -> Any:
        """Put a value into the open collection; return the key that waits for its value then."""
        if type(container) is list:
            container.append(value)
        elif key is _NO_KEY:
            return self._key(event, value, container)
        elif key is _MERGE:
            merged = merge(container, value, event.start_mark.index, aliased=type(event) is AliasEvent)
            self._merged.setdefault(id(container), set()).update(merged)
        else:
            container[key] = value
        return _NO_KEY

    def _scalar(self, event: Any) -> Any:
        value = event.value
        try:
            if event.tag is not None:
                value = tagged(value, event.tag)
            elif event.implicit[0]:
                value = resolve(value)
        except ScalarError as error:
            raise DocumentError(str(error), event.start_mark.index) from None
        if event.anchor is not None:
            self._anchors.scalar(event.anchor, value)
        return value

    def _key(self, event: Any, value: Any, container: dict[str, Any]) -> Any:
        if value == MERGE_KEY and type(event) is ScalarEvent and (event.implicit[0] or event.tag == _MERGE_TAG):
            return _MERGE
        try:
            key = value if type(value) is str else key_text(value)
        except ScalarError as error:
            raise DocumentError(str(error), event.start_mark.index) from None
        merged = self._merged.get(id(container), set())
        if key in container and key not in merged:
            message = f"duplicate key '{key}'"
            raise DocumentError(message, event.start_mark.index)
        merged.discard(key)
        return key
