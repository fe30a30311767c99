"""A file's bytes cut into documents where kubectl cuts them, without holding more than one in memory.

Source: `YAMLReader` in apimachinery's `pkg/util/yaml/decoder.go`: every line that starts with `---`
separates, and nothing but a comment may follow on that line.
"""

import codecs
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

_SEPARATOR = re.compile(rb"^---(.*)(?:\n|\Z)", re.MULTILINE)
# One read; a file up to this size is judged as a whole before it is cut.
BLOCK_BYTES = 1 << 20
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(slots=True)
class Chunk:
    """The bytes (UTF-8, no byte order mark) of one document.

    `line` is the number of lines before it. `fault` says why kubectl refuses the separator line that
    `data` then is.
    """

    data: bytes
    line: int
    fault: str | None = None


def cut(stream: BinaryIO) -> Iterator[Chunk]:
    """Yield the documents of a byte stream in UTF-8 or, with a byte order mark, UTF-16."""
    first = stream.read(BLOCK_BYTES)
    if first.startswith(_UTF16):
        text = (first + stream.read()).decode("utf-16", "replace")
        first, stream = text.encode("utf-8", "replace"), io.BytesIO()
    return _cut(first.removeprefix(codecs.BOM_UTF8), stream)


def _cut(buffer: bytes, stream: BinaryIO) -> Iterator[Chunk]:
    line = 0
    size = BLOCK_BYTES
    while piece := stream.read(size):
        end = (buffer + piece).rfind(b"\n---") + 1
        buffer += piece
        if end:
            yield from _cut_text(buffer[:end], line)
            line += buffer.count(b"\n", 0, end)
            buffer, size = buffer[end:], BLOCK_BYTES
        else:
            # A long document is read in growing steps, or joining them would take quadratic time.
            size *= 2
    yield from _cut_text(buffer, line)


def _cut_text(data: bytes, line: int) -> Iterator[Chunk]:
    start = 0
    for match in _SEPARATOR.finditer(data):
        if data[start : match.start()].strip():
            yield Chunk(data[start : match.start()], line)
        line += data.count(b"\n", start, match.start())
        fault = _separator_fault(match[1])
        if fault is not None:
            yield Chunk(match[0], line, fault)
        line += match[0].count(b"\n")
        start = match.end()
    if data[start:].strip():
        yield Chunk(data[start:], line)


def _separator_fault(rest: bytes) -> str | None:
    text = rest.decode("utf-8", "replace").strip()
    if not text or text.startswith("#"):
        return None
    return f"a document separator '---' must stand alone on its line, not before '{text[:40]}'"
