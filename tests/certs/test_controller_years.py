"""Years of a cluster, and any sequence of absences, kills and losses: no call fails because of a certificate."""

from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from certs.controller_decide import Wait
from tests.certs.simulation import DAY, MINUTE, NOW, POLICY, Simulation, parts


def test_years_go_by_without_a_failed_call_and_without_a_growing_bundle() -> None:
    settled = Simulation()
    settled.settle()
    exchanged = set()
    while settled.now < NOW + 3 * 365 * DAY:
        settled.sleep()
        while settled.step():
            assert not list(settled.broken_calls())
        assert settled.stored.authority
        exchanged.add(settled.stored.authority.certificate)
        assert len(parts(settled.stored.bundle)) <= 2
    # Each serves two thirds of 365 days: 243 days into the first year, the second, …
    assert len(exchanged) == 5


EVENTS = st.one_of(
    st.tuples(st.just("work"), st.integers(1, 6)),
    st.tuples(st.just("work, killed after one configuration"), st.integers(1, 6)),
    st.tuples(st.just("minutes"), st.integers(0, 240)),
    st.tuples(st.just("days"), st.integers(1, 4)),
    st.tuples(st.just("the Secret is lost"), st.just(1)),
    st.tuples(st.just("a key is damaged"), st.sampled_from(["signing.key", "next.key", "tls.key", "tls.crt", "signing.crt"])),
)
# Days without a controller after which a pair, renewed ten days before its end, would be in danger.
LONGEST_ABSENCE_DAYS = 6
# Each loss leaves one more authority to trust; beyond eight the oldest is forgotten.
MOST_LOSSES = 3


@given(st.lists(EVENTS, max_size=25), st.sampled_from([45, 67, 600]))
def test_no_call_fails_whenever_the_controller_is_killed_and_whatever_is_lost(events: list[tuple[str, int | str]], life: int) -> None:
    world = Simulation(policy=replace(POLICY, authority_life=timedelta(days=life)))
    world.settle()
    fate = _Fate(world)
    for what, argument in events:
        fate.befall(what, argument)
        assert list(world.broken_calls()) == []
    world.settle()
    world.now += POLICY.settling.total_seconds()
    world.settle()
    assert list(world.broken_calls()) == []
    assert isinstance(world.next(), Wait)


class _Fate:
    """What befalls a simulated cluster; a controller is never away for too long, nor the Secret lost too often."""

    def __init__(self, world: Simulation) -> None:
        self.world = world
        self.absent_days = 0
        self.lost = 0

    def befall(self, what: str, argument: int | str) -> None:
        world = self.world
        if isinstance(argument, str):
            world.secret = (world.secret or {}) | {argument: b"damaged"}
        elif what == "days":
            days = min(argument, LONGEST_ABSENCE_DAYS - self.absent_days)
            self.absent_days += days
            world.now += days * DAY
        elif what == "minutes":
            world.now += argument * MINUTE
        elif what.startswith("work"):
            self._work(argument, configurations=1 if "killed" in what else 2)
        elif self.lost < MOST_LOSSES:
            world.secret, self.lost = None, self.lost + 1

    def _work(self, steps: int, configurations: int) -> None:
        for _ in range(steps):
            if not self.world.step(configurations):
                self.absent_days = 0
                return
            assert list(self.world.broken_calls()) == []
