"""The controller's loop: does what was decided, and goes on after what goes wrong."""

import threading
from datetime import timedelta

import pytest

from certs.controller import Controller
from certs.controller_decide import Observed, Publish
from certs.controller_state import Stored
from certs.errors import ClusterError, ConflictError
from tests.certs.simulation import NOW, POLICY, Simulation, parts


class Kept:
    """A log that a test reads."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str, dict[str, object]]] = []
        self.warned = threading.Event()

    def info(self, event: str, **fields: object) -> None:
        self.lines.append(("info", event, fields))

    def warning(self, event: str, **fields: object) -> None:
        self.lines.append(("warning", event, fields))
        self.warned.set()


class World:
    """A simulated cluster in which the next calls may fail."""

    def __init__(self) -> None:
        self.cluster = Simulation()
        self.failures: list[Exception | None] = []

    def _maybe_fail(self) -> None:
        failure = self.failures.pop(0) if self.failures else None
        if failure:
            raise failure

    def read(self, now: float) -> Observed:
        self._maybe_fail()
        assert now == self.cluster.now
        return self.cluster.observed()

    def write(self, stored: Stored) -> None:
        self._maybe_fail()
        self.cluster.write(stored)

    def publish(self, configuration: str, bundle: bytes) -> None:
        self._maybe_fail()
        self.cluster.overwrite(configuration, bundle)


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def log() -> Kept:
    return Kept()


@pytest.fixture
def controller(world: World, log: Kept) -> Controller:
    return Controller(world, POLICY, log, clock=lambda: world.cluster.now)


def test_everything_is_done_before_it_waits(world: World, controller: Controller, log: Kept) -> None:
    until = controller.settle()
    assert until > NOW
    assert world.cluster.stored.pair
    assert [event for _, event, _ in log.lines] == ["secret written", "caBundle written", "caBundle written", "secret written"]


def test_what_is_logged_holds_no_key(controller: Controller, log: Kept) -> None:
    controller.settle()
    assert "PRIVATE" not in repr(log.lines)


def test_a_conflict_is_read_again_and_goes_on(world: World, controller: Controller, log: Kept) -> None:
    world.failures = [None, ConflictError("somebody wrote")]
    controller.settle()
    assert world.cluster.stored.pair
    assert not [line for line in log.lines if line[0] == "warning"]


def test_a_world_that_undoes_every_step_is_told_about_and_left_alone_for_a_minute(
    world: World, controller: Controller, log: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    controller.settle()
    monkeypatch.setattr(world.cluster, "overwrite", lambda *_: None)
    world.cluster.bundles["mutating"] = [b""]
    assert controller.settle() == NOW + 60
    assert log.lines[-1][:2] == ("warning", "every step is undone or refused")


def test_a_cluster_that_does_not_answer_is_tried_again(world: World, log: Kept) -> None:
    stopping = threading.Event()

    class Clock:
        """A clock on which a wait is over when it is looked at."""

        def __call__(self) -> float:
            if world.cluster.stored.pair:
                stopping.set()
            return world.cluster.now

    controller = Controller(world, POLICY, log, clock=Clock())
    world.failures = [ClusterError("no answer")]
    controller.changed()
    runner = threading.Thread(target=controller.run, args=(stopping,), daemon=True)
    runner.start()
    assert log.warned.wait(30)
    controller.changed()
    runner.join(30)
    assert not runner.is_alive()
    assert log.lines[0] == ("warning", "will try again", {"problem": "no answer", "seconds": 1.0})
    assert world.cluster.stored.pair


def test_an_exchange_goes_on_where_the_controller_before_was_killed(world: World, log: Kept) -> None:
    cluster = world.cluster
    cluster.settle()
    authority = cluster.stored.authority
    assert authority
    while cluster.now < authority.pair.renewal_due:
        cluster.sleep()
    while not isinstance(cluster.next(), Publish):
        cluster.step()
    cluster.step(configurations=1)
    Controller(world, POLICY, log, clock=lambda: cluster.now).settle()
    assert all(len(parts(bundle)) == 2 for bundles in cluster.bundles.values() for bundle in bundles)
    cluster.now += timedelta(seconds=30).total_seconds()
    Controller(world, POLICY, log, clock=lambda: cluster.now).settle()
    assert cluster.stored.authority != authority
