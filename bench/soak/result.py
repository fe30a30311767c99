"""What a part of the soak found out: one line each, good or not."""

from dataclasses import dataclass


class SoakError(Exception):
    """The soak could not be run to its end; the text says why."""


@dataclass(frozen=True, slots=True)
class Result:
    """One thing that was looked at."""

    text: str
    measured: str
    good: bool

    def line(self) -> str:
        """Return the line of the report."""
        return f"  {'good  ' if self.good else 'FAILED'}  {self.text:<58} {self.measured}"
