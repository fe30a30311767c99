"""What one source says: settings by path, each with the place where it is written."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A setting as written. `is_text` marks an environment variable's text, whose kind decides how it is read.

    An empty mapping, or nothing at all below a section's name, is an entry with the value None.
    """

    path: Path
    value: Any
    origin: str
    is_text: bool = False


def dotted(path: Path) -> str:
    """Return `serve.port`."""
    return ".".join(path)


def flag_entries(flags: Mapping[str, Any]) -> Iterator[Entry]:
    """Yield the flags of a command line, given by dotted path; None is a flag that was not used."""
    for name, value in flags.items():
        if value is not None:
            path = tuple(name.split("."))
            yield Entry(path, value, f"flag --{path[-1].replace('_', '-')}")
