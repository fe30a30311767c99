"""How much work something is: lines of Python that run, which are as many on every machine, however busy it is."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def lines_of(work: Callable[[], Any]) -> int:
    """Return how many lines run, each round of a loop counted."""
    counted = 0

    def count(_: FrameType, event: str, __: Any) -> Any:
        nonlocal counted
        counted += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        work()
    finally:
        sys.settrace(before)
    return counted


def grows_evenly(work: Callable[[int], Callable[[], Any]], size: int = 50) -> bool:
    """Say whether each further piece costs what the one before did: a square makes the second step cost four times the first, not twice."""
    work(1)()
    one, two, four = (lines_of(work(times * size)) for times in (1, 2, 4))
    return four - two < 2.2 * (two - one)
