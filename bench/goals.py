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


@dataclass(frozen=True, slots=True)
class Run:
    """One run of one server: what the load saw, and the processor time that it cost."""

    seen: Figures
    cpu_seconds: float

    @property
    def per_core(self) -> float:
        """Requests per second of processor time: what a core of its own would answer, whatever else the machine does."""
        return self.seen.requests / self.cpu_seconds


def throughput_ratio(ours: Sequence[Run], theirs: Sequence[Run]) -> float:
    """Return the median over the pairs of requests per second and core, ours to theirs."""
    return median(mine.per_core / other.per_core for mine, other in zip(ours, theirs, strict=True))


def p99_ratio(ours: Sequence[Run], theirs: Sequence[Run]) -> float:
    """Return the median over the pairs of the 99th percentile, theirs to ours: how many times sooner we are done."""
    return median(other.seen.p99_us / mine.seen.p99_us for mine, other in zip(ours, theirs, strict=True))
