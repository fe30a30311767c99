"""Text files read and written back with their encoding, byte order mark and line ends."""

import codecs
import errno
import os
import tempfile
from pathlib import Path
from typing import NamedTuple

from webhook.lint.chunks import is_utf16

# A folder in which no file may be made, and a file that is mounted by itself, as into a container.
_CANNOT_BE_REPLACED = {errno.EACCES, errno.EPERM, errno.EBUSY}
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

    A link stays, its target changes; the permissions stay, a new file gets the usual ones. Raises `OSError`.
    """
    target = path.resolve()
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        Path(name).chmod(_mode_of(target))
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _mode_of(target: Path) -> int:
    if target.exists():
        return target.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def write_file(path: Path, data: bytes) -> None:
    """Write a report whole or not at all where that can be done; devices and pipes are written to as they are.

    Raises `OSError`.
    """
    if path.exists() and (not path.is_file() or path.is_relative_to("/dev") or path.is_relative_to("/proc")):
        path.write_bytes(data)
        return
    try:
        replace_file(path, data)
    except OSError as error:
        if error.errno not in _CANNOT_BE_REPLACED:
            raise
        path.write_bytes(data)
