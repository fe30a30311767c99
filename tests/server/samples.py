"""A desk with a log that is kept, for tests that need no socket."""

import json
from collections.abc import Callable
from typing import Any

from webhook import build_engine
from webhook.admission.handler import Handler, Judge
from webhook.server.desk import Desk
from webhook.server.logs import Logs
from webhook.server.metrics import Counters


class KeptLog:
    """Keeps lines instead of writing them."""

    def __init__(self) -> None:
        """Start with none."""
        self.texts: list[str] = []

    def msg(self, line: str | Callable[[], str]) -> None:
        """Keep one line."""
        self.texts.append(line if isinstance(line, str) else line())

    debug = info = warning = error = critical = msg

    @property
    def lines(self) -> list[dict[str, Any]]:
        """Return the lines as data."""
        return [json.loads(text) for text in self.texts]


def kept_logs(kept: KeptLog, level: str = "info", style: str = "json") -> Logs:
    """Return a log that writes to `kept` what the server's would write to its queue."""
    return Logs(level, style, kept)  # type: ignore[arg-type]  # it has the methods of the queue


def desk_with(engine: Judge | None = None, level: str = "info") -> tuple[Desk, Counters, KeptLog]:
    """Return a desk, its counters and what it logs; the engine is the real one where none is given."""
    kept, counters = KeptLog(), Counters("1.2.3")
    return Desk(Handler(engine or build_engine(), "1.2.3"), counters, kept_logs(kept, level)), counters, kept
