"""A clock that jumps and comes back: what was made meanwhile is put right, and nobody sleeps through it."""

import threading
from datetime import timedelta

import pytest

from certs.controller import Controller
from tests.certs.simulation import DAY, NOW, POLICY, Simulation
from tests.certs.test_controller import Kept, World

YEAR = 365 * DAY


@pytest.mark.parametrize("jump", [10 * YEAR, YEAR, 60 * DAY, -10 * YEAR, -60 * DAY, -DAY], ids=lambda jump: f"{jump / DAY:+.0f} days")
def test_after_a_clock_that_jumped_and_came_back_calls_go_well_within_the_time_to_settle(jump: float) -> None:
    world = Simulation()
    world.settle()
    world.now += jump
    world.settle()
    world.now = NOW + DAY
    # What was written by the wrong clock has been written by now.
    world.shown = [(min(moment, world.now), pair) for moment, pair in world.shown]
    world.seen_bundles = [(min(moment, world.now), bundle) for moment, bundle in world.seen_bundles]
    for _ in range(2):
        world.settle()
        world.now += POLICY.settling.total_seconds()
    world.settle()
    world.now += timedelta(minutes=4).total_seconds()
    assert list(world.broken_calls()) == []
    pair = world.stored.pair
    assert pair
    assert pair.starts <= world.now < pair.expires


@pytest.mark.parametrize("jump", [-DAY, -10 * YEAR], ids=["a day back", "ten years back"])
def test_a_clock_that_is_set_back_wakes_the_controller(jump: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else it would sleep until the moment that the wrong clock made it wait for."""
    monkeypatch.setattr("certs.controller._LONGEST_SLEEP_SECONDS", 0.01)
    monkeypatch.setattr("certs.controller._PAUSE_SECONDS", 0.0)
    world, stopping = World(), threading.Event()
    moments = iter([*[NOW] * 20, *[NOW + jump] * 1000])
    first = world.cluster.settle()
    reads: list[float] = []
    controller = Controller(world, POLICY, Kept(), clock=lambda: next(moments))

    def read(now: float) -> object:
        reads.append(now)
        if now != NOW:
            stopping.set()
            controller.changed()
        world.cluster.now = now
        return world.cluster.observed()

    monkeypatch.setattr(world, "read", read)
    runner = threading.Thread(target=controller.run, args=(stopping,), daemon=True)
    runner.start()
    runner.join(30)
    assert not runner.is_alive()
    assert first > NOW
    assert (reads[0], reads[-1]) == (NOW, NOW + jump)
