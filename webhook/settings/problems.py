"""What is wrong with the settings, told all at once, each with its path."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake: `path` is the setting's (empty for a whole file), `origin` says where it was written."""

    path: str
    message: str
    origin: str = ""

    def __str__(self) -> str:
        """Return `serve.port: must be …, not 'x' (settings.yaml, line 3)`."""
        subject = f"{self.path}: " if self.path else ""
        return f"{subject}{self.message}{f' ({self.origin})' if self.origin else ''}"


class SettingsError(Exception):
    """The settings cannot be used; `problems` are all reasons, the text has a line for each."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        """Join the problems."""
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))
