"""What came of many inputs: how many gave what, and those that failed."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import NamedTuple

MOST_SECONDS = 1.0


class Outcome(NamedTuple):
    """How many inputs gave what, the slowest one's CPU seconds, and the inputs that failed."""

    counts: Counter[str]
    slowest_seconds: float
    failed: list[bytes]


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is tried: so many inputs, or as many as fit into so many seconds; another seed, other inputs."""

    seconds: float
    count: int | None
    seed: int

    def of(self, inputs: Iterable[bytes]) -> Iterator[bytes]:
        """Yield as many of the inputs."""
        if self.count is not None:
            return islice(inputs, self.count)
        end = time.monotonic() + self.seconds
        return takewhile(lambda _: time.monotonic() < end, inputs)


def tried(inputs: Iterable[bytes], one: Callable[[bytes], str]) -> Outcome:
    """Give each input to a function that says what came of it; what it raises is a failure, and so is more than a second of CPU."""
    outcome = Outcome(Counter(), 0.0, [])
    for data in inputs:
        begun = time.process_time()
        try:
            kind = one(data)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a failure to count
            outcome.counts[f"failed with {type(error).__name__}"] += 1
            outcome.failed.append(data)
            continue
        seconds = time.process_time() - begun
        if seconds > MOST_SECONDS:
            outcome.counts["too slow"] += 1
            outcome.failed.append(data)
        outcome = outcome._replace(slowest_seconds=max(outcome.slowest_seconds, seconds))
        outcome.counts[kind] += 1
    return outcome
