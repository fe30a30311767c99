"""The files of a translation put together again: as YAML in the text that they were written in, or as JSON."""

import codecs
import json
from collections.abc import Iterable, Iterator
from typing import Any

from webhook.core.conversion import Conversion, Converter
from webhook.lint.carrying import carried
from webhook.lint.chunks import Chunk, cut, is_utf16
from webhook.lint.documents import dump
from webhook.lint.faults import DocumentError, position_of
from webhook.lint.inputs import Input, read_bytes, read_shallow
from webhook.lint.report import Unreadable
from webhook.lint.sources import Missing

_SEPARATOR = "---\n"
Pair = tuple[Input, Conversion]


class Files:
    """Translates files one after another, and keeps what is to be printed; `notes` are for stderr."""

    def __init__(self, converter: Converter) -> None:
        """Take the converter."""
        self._converter = converter
        self._texts: list[str] = []
        self._values: list[Any] = []
        self.notes: list[str] = []

    def translate(self, sources: Iterable[str | Missing]) -> Iterator[Pair | Unreadable]:
        """Yield the documents of all sources with their translation, and what cannot be read, in their order."""
        for source in sources:
            if isinstance(source, Missing):
                yield Unreadable(source.name, None, source.reason)
                continue
            try:
                data = read_bytes(source)
            except OSError as error:
                yield Unreadable(source, None, error.strerror or str(error))
            else:
                yield from self._file(source, data)

    def _file(self, name: str, data: bytes) -> Iterator[Pair | Unreadable]:
        text, offset, number = _decoded(data), 0, 0
        for chunk in cut(data):
            start = text.index(chunk.text, offset)
            try:
                pairs = [self._pair(Input(name, index, document)) for index, document in enumerate(read_shallow(chunk), number)]
            except DocumentError as error:
                offset, number = start + len(chunk.text), number + 1
                yield Unreadable(name, position_of(chunk.text, error.index, error.index, chunk.line), error.message)
                continue
            number += len(pairs)
            yield from pairs
            written = self._written(name, chunk, pairs)
            text = text[:start] + written + text[start + len(chunk.text) :]
            offset = start + len(written)
        self._texts.append(text)

    def _pair(self, item: Input) -> Pair:
        converted = self._converter.convert(item.document.data)
        self._values += [*converted.beside, converted.data]
        return item, converted

    def _written(self, name: str, chunk: Chunk, pairs: list[Pair]) -> str:
        """Return the chunk's text with its documents translated, those that belong beside them first."""
        if all(converted.data is item.document.data for item, converted in pairs):
            return chunk.text
        beside = [value for _, converted in pairs for value in converted.beside]
        text = carried(pairs[0][0].document, pairs[0][1].data) if len(pairs) == 1 else None
        if text is None:
            text = dump(converted.data for _, converted in pairs)
            if "#" in chunk.text:
                self.notes.append(f"{name}: document {pairs[0][0].number} is written anew, its comments are not kept")
        return dump(beside) + _SEPARATOR + text if beside else text

    def as_yaml(self) -> str:
        """Return all files as one stream of YAML documents."""
        stream = ""
        for text in self._texts:
            if stream and not stream.endswith("\n"):
                stream += "\n"
            stream += text if not stream or text.startswith(_SEPARATOR) else _SEPARATOR + text
        return stream

    def as_json(self) -> str:
        """Return the one document, or a List of several, as JSON."""
        values = self._values
        value = values[0] if len(values) == 1 else {"apiVersion": "v1", "kind": "List", "items": values}
        return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _decoded(data: bytes) -> str:
    return data.decode("utf-16", "replace") if is_utf16(data) else data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")
