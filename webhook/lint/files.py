"""Text files read and written back with their encoding, byte order mark and line ends."""

import codecs
import os
import tempfile
from pathlib import Path
from typing import NamedTuple

from webhook.lint.chunks import is_utf16

_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


class NotTextError(Exception):
    """The bytes are no text in the encoding that they start with."""


class TextFile(NamedTuple):
    """The text of a file without its byte order mark, which is `mark`."""

    text: str
    mark: bytes
    encoding: str

    @classmethod
    def parsed(cls, data: bytes) -> "TextFile":
        """Return what the bytes of a file say; raises `NotTextError`."""
        mark = data[:2] if is_utf16(data) else codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
        encoding = _UTF16.get(mark, "utf-8")
        try:
            return cls(data[len(mark) :].decode(encoding), mark, encoding)
        except UnicodeDecodeError:
            message = f"must be text in {encoding.upper()}"
            raise NotTextError(message) from None

    def with_text(self, text: str) -> bytes:
        """Return the bytes of the same file with another text."""
        return self.mark + text.encode(self.encoding)


def replace_file(path: Path, data: bytes) -> None:
    """Write a file's new content beside it and swap: an interrupt leaves the old one or the new one, never half.

    A link stays, its target changes; the permissions stay. Raises `OSError`.
    """
    target = path.resolve()
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        Path(name).chmod(target.stat().st_mode & 0o7777)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
