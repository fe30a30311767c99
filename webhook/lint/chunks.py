"""A file's bytes cut into documents where kubectl cuts them, without holding more than one in memory.

Source: `YAMLReader` in apimachinery's `pkg/util/yaml/decoder.go`: every line that starts with `---`
separates, and nothing but a comment may follow on that line.
"""

import codecs
import io
import re
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

_SEPARATOR = re.compile(r"^---(.*)(?:\n|\Z)", re.MULTILINE)
_CONTENT = re.compile(r"^[ \t]*[^\s#]", re.MULTILINE)
# One read; a file up to this size is judged as a whole before it is cut.
BLOCK_BYTES = 1 << 16
_MARK = "\ufeff"
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Chunk(NamedTuple):
    """The text of one document, without byte order mark; what is no UTF-8 is U+FFFD, as kubectl has it.

    `line` is the number of lines before it. `fault` says why kubectl refuses the separator line that
    `text` then is.
    """

    text: str
    line: int
    fault: str | None = None

    @property
    def is_empty(self) -> bool:
        """Say whether there is nothing but blanks and comments."""
        return _CONTENT.search(self.text) is None


def is_utf16(data: bytes) -> bool:
    """Say whether a file that starts with `data` is UTF-16."""
    return data.startswith(_UTF16)


def cut(first: bytes, rest: BinaryIO | None = None) -> Iterator[Chunk]:
    """Yield the documents of a file in UTF-8 or, with a byte order mark, UTF-16.

    `first` is its beginning, `rest` where to read on.
    """
    stream = rest or io.BytesIO()
    if is_utf16(first):
        first = (first + stream.read()).decode("utf-16", "replace").encode("utf-8", "replace")
    return _cut(first.removeprefix(codecs.BOM_UTF8), stream)


def cut_text(text: str) -> Iterator[Chunk]:
    """Yield the documents of a file's whole text."""
    text = text.removeprefix(_MARK)
    if "---" in text:
        return _cut_text(text, 0)
    return iter((Chunk(text, 0),) if text.strip() else ())


def _cut(buffer: bytes, stream: BinaryIO) -> Iterator[Chunk]:
    line = 0
    size = BLOCK_BYTES
    while piece := stream.read(size):
        buffer += piece
        end = buffer.rfind(b"\n---") + 1
        if end:
            yield from _cut_text(buffer[:end].decode("utf-8", "replace"), line)
            line += buffer.count(b"\n", 0, end)
            buffer, size = buffer[end:], BLOCK_BYTES
        else:
            # A long document is read in growing steps, or joining them would take quadratic time.
            size *= 2
    yield from _cut_text(buffer.decode("utf-8", "replace"), line)


def _cut_text(text: str, line: int) -> Iterator[Chunk]:
    start = 0
    for match in _SEPARATOR.finditer(text):
        if text[start : match.start()].strip():
            yield Chunk(text[start : match.start()], line)
        line += text.count("\n", start, match.start())
        rest = match[1].strip()
        if rest and not rest.startswith("#"):
            yield Chunk(match[0], line, f"a document separator '---' must stand alone on its line, not before '{rest[:40]}'")
        line += match[0].count("\n")
        start = match.end()
    if text[start:].strip():
        yield Chunk(text[start:], line)
