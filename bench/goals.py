"""The performance goals as ratios, and what was measured against each."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from bench.load import Figures


@dataclass(frozen=True, slots=True)
class Goal:
    """One ratio that must be reached."""

    text: str
    measured: float
    least: float

    @property
    def reached(self) -> bool:
        """Whether the ratio is large enough."""
        return self.measured >= self.least

    def line(self) -> str:
        """Return the line of the report."""
        verdict = "reached" if self.reached else "MISSED"
        return f"  {self.text:<62} {self.measured:8.2f}  (at least {self.least:g})  {verdict}"


def throughput_ratio(ours: Sequence[Figures], theirs: Sequence[Figures]) -> float:
    """Return the median over the pairs of requests per second, ours to theirs."""
    return median(mine.per_second / other.per_second for mine, other in zip(ours, theirs, strict=True))


def p99_ratio(ours: Sequence[Figures], theirs: Sequence[Figures]) -> float:
    """Return the median over the pairs of the 99th percentile, theirs to ours: how many times sooner we are done."""
    return median(other.p99_us / mine.p99_us for mine, other in zip(ours, theirs, strict=True))
