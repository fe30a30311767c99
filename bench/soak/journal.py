"""How often servers logged an event, read from where the reading before ended."""

import json
from collections import Counter
from pathlib import Path


class Journal:
    """The log of one server, over all its restarts."""

    def __init__(self, log: Path) -> None:
        """Take the file; it need not be there yet."""
        self._log = log
        self._offset = 0
        self._counts: Counter[str] = Counter()

    def count(self, event: str) -> int:
        """Return how many lines there are of an event so far."""
        if self._log.exists():
            with self._log.open("rb") as file:
                file.seek(self._offset)
                for line in file:
                    if not line.endswith(b"\n"):
                        break
                    self._offset += len(line)
                    self._note(line)
        return self._counts[event]

    def _note(self, line: bytes) -> None:
        # Most lines tell of reviews; there are a hundred thousand of them.
        if line.startswith(b"{") and b'"event":"admission ' not in line:
            self._counts[json.loads(line)["event"]] += 1
