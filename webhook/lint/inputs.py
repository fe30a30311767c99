"""Documents one by one, for what looks at all of them rather than only at those with findings."""

import io
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from webhook.core.pod import MOST_LEVELS, nests_deeper
from webhook.lint.chunks import Chunk, cut
from webhook.lint.document import Document
from webhook.lint.faults import DocumentError, position_of
from webhook.lint.reading import read
from webhook.lint.report import Unreadable
from webhook.lint.sources import STDIN, Missing, stdin_descriptor


class Input(NamedTuple):
    """One document, with the file that it is in and its number there, from 0."""

    file: str
    number: int
    document: Document


def read_bytes(name: str) -> bytes:
    """Return what a file, or standard input, holds; raises `OSError`."""
    if name != STDIN:
        return Path(name).read_bytes()
    with open(stdin_descriptor(), "rb", closefd=False) as stream:
        return stream.read()


def read_inputs(sources: Iterable[str | Missing], concerns: Callable[[str], bool] = lambda _: True) -> Iterator[Input | Unreadable]:
    """Yield the documents of all sources, and what cannot be read, in their order.

    A text that `concerns` says False of holds no document of interest, whether it can be read or not.
    """
    for source in sources:
        if isinstance(source, Missing):
            yield Unreadable(source.name, None, source.reason)
            continue
        try:
            data = read_bytes(source)
        except OSError as error:
            yield Unreadable(source, None, error.strerror or str(error))
        else:
            yield from _inputs(source, cut(data, io.BytesIO()), concerns)


def read_shallow(chunk: Chunk) -> Iterator[Document]:
    """Yield the documents of a chunk, for what writes them anew; raises `DocumentError` for one that is nested too deeply for that, too."""
    for document in read(chunk):
        if nests_deeper(document.data, MOST_LEVELS):
            message = f"a document must not be nested deeper than {MOST_LEVELS} levels"
            raise DocumentError(message, document.start)
        yield document


def _inputs(name: str, chunks: Iterable[Chunk], concerns: Callable[[str], bool]) -> Iterator[Input | Unreadable]:
    index = 0
    for chunk in chunks:
        if not concerns(chunk.text):
            index += not chunk.is_empty
            continue
        try:
            for document in read_shallow(chunk):
                yield Input(name, index, document)
                index += 1
        except DocumentError as error:
            yield Unreadable(name, position_of(chunk.text, error.index, error.index, chunk.line), error.message)
            index += 1
