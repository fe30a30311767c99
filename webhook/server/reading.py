"""Files that are read again and again under a running server, by whom nothing may hold it up."""

import errno
import os
import stat
from pathlib import Path


def read_file(path: Path, most_bytes: int) -> bytes:
    """Return the content of a small file; raises `OSError`, also where the path leads to no file or to too large a one.

    Nothing is waited for, as a pipe in the file's place would make the reader do.
    """
    with open(path, "rb", opener=_at_once) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it must be a file", str(path))
        content = file.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise OSError(errno.EFBIG, f"it must be smaller than {most_bytes} bytes", str(path))
    return content


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)
