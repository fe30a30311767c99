"""Where a value stands in an object, as apimachinery's `field.Path` writes it."""

import re
from collections.abc import Iterable
from typing import NamedTuple

_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_UNPRINTABLE = re.compile(r"[^\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


def printable(text: str) -> str:
    """Return `text` with control, direction-changing and unencodable characters escaped.

    Names and keys of a manifest are echoed in messages, warnings and logs; none of them may
    break a line, reorder a terminal or be dropped by the API server.
    """
    if text.isascii() and text.isprintable():
        return text
    return _UNPRINTABLE.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\u{code:04x}"


def pointer(parts: Iterable[str | int]) -> str:
    """Return the parts of a path as an RFC 6901 JSON Pointer."""
    return "".join([f"/{part.replace('~', '~0').replace('/', '~1') if type(part) is str else part}" for part in parts])


class FieldPath(NamedTuple):
    """An immutable path: `parts` are mapping keys (str) and list indexes (int)."""

    parts: tuple[str | int, ...] = ()

    def child(self, *parts: str | int) -> "FieldPath":
        """Return the path of a value below this one."""
        return FieldPath(self.parts + parts)

    def pointer(self) -> str:
        """Return the path as an RFC 6901 JSON Pointer, as JSON Patch wants it."""
        return pointer(self.parts)

    def __str__(self) -> str:
        """Return `spec.containers[1].resources.limits[volcano.sh/gpu-mem.128Mi]`."""
        # Most names are identifiers, which is told sooner.
        return "".join(
            [f".{part}" if type(part) is str and part.isidentifier() and part.isascii() else _segment(part) for part in self.parts]
        ).removeprefix(".")


def _segment(part: str | int) -> str:
    if type(part) is str and _PLAIN_NAME.fullmatch(part):
        return f".{part}"
    return f"[{printable(str(part))}]"
