"""Chunks of a file into documents, each by the parser that kubectl would take for it."""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from webhook.lint.blocks import read_blocks
from webhook.lint.chunks import Chunk
from webhook.lint.document import Document, Finders, no_span
from webhook.lint.faults import Breaks, DocumentError
from webhook.lint.lines import Lines

if TYPE_CHECKING:
    from webhook.lint.documents import YamlText
    from webhook.lint.places import Token


def _builder(text: str) -> "YamlText":
    from webhook.lint.documents import YamlText  # noqa: PLC0415 - PyYAML costs 16 ms, and most manifests do without it

    return YamlText(text)


def _yaml_tokens(text: str) -> "Iterator[Token]":
    builder = _builder(text)
    builder.build()
    return builder.tokens()


def _json_tokens(text: str) -> "Iterator[Token]":
    from webhook.lint import jsontext  # noqa: PLC0415 - as above

    builder = _builder(jsontext.as_yaml_reads_it(text))
    # JSON that YAML does not read all the same: what follows is located by its nearest ancestor.
    with suppress(DocumentError):
        builder.build()
    return builder.tokens()


def read(chunk: Chunk, lines: Lines | None = None) -> Iterator[Document]:
    """Yield the documents of a chunk: one, or for JSON as many as follow one another; null is none.

    `lines` remembers what was read from one chunk to the next. Raises `DocumentError` for what kubectl cannot read, and for duplicate keys.
    """
    text = chunk.text
    if chunk.fault is not None:
        raise DocumentError(chunk.fault, 0)
    if text.lstrip().startswith(("{", "[")):
        yield from _read_flow(text, chunk.line)
        return
    blocks = read_blocks(text, Lines() if lines is None else lines)
    if blocks is not None:
        yield Document(blocks.data, text, Finders(partial(_yaml_tokens, text), blocks.span), lines_before=chunk.line)
        return
    builder = _builder(text)
    data = builder.build()
    if data is not None:
        yield Document(data, text, Finders(builder.tokens, no_span), lines_before=chunk.line)


def _read_flow(text: str, line: int) -> Iterator[Document]:
    """Yield JSON values, or the YAML that looks like JSON at first."""
    from webhook.lint import jsontext  # noqa: PLC0415 - as above

    try:
        values = list(jsontext.documents(text))
    except jsontext.NotJsonError:
        builder = _builder(text)
        yield Document(builder.build(alone=True), text, Finders(builder.tokens, no_span), lines_before=line)
    else:
        breaks = Breaks(text)
        for value, start, end in values:
            finders = Finders(partial(_json_tokens, text[start:end]), no_span, breaks)
            yield Document(value, text, finders, start=start, lines_before=line)
