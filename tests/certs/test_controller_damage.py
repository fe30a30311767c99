"""What somebody overwrites, damages or deletes is put right, and the trust that servers need is kept meanwhile."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from certs.authority import new_authority
from certs.controller_decide import Publish
from certs.controller_state import to_data
from certs.inspection import is_issued_by, names_of
from tests.certs.simulation import DAY, NOW, POLICY, Simulation, parts


@pytest.fixture
def world() -> Simulation:
    return Simulation()


@pytest.fixture
def settled(world: Simulation) -> Simulation:
    world.settle()
    return world


@pytest.mark.parametrize("bundle", [b"", b"not PEM", b"\xff"], ids=["nothing", "text", "bytes"])
def test_a_configuration_that_somebody_overwrites_is_put_right(settled: Simulation, bundle: bytes) -> None:
    right = settled.stored.bundle
    settled.bundles["validating"][1] = bundle
    assert settled.next() == Publish(("validating",), right, "caBundle is not what it must be")
    settled.settle()
    assert settled.bundles["validating"] == [right, right]


def test_a_configuration_that_is_missing_holds_nothing_up_and_is_filled_once_it_is_there(world: Simulation) -> None:
    del world.bundles["mutating"]
    world.settle()
    assert world.stored.pair
    world.bundles["mutating"] = [b""]
    world.settle()
    assert world.bundles["mutating"] == [world.stored.bundle]


@pytest.mark.parametrize("entry", ["tls.crt", "tls.key"])
@pytest.mark.parametrize("content", [None, b"", b"half a certif"], ids=["missing", "empty", "broken"])
def test_a_damaged_pair_is_signed_anew_by_the_same_authority(settled: Simulation, entry: str, content: bytes | None) -> None:
    before = settled.stored.authority
    assert settled.secret
    settled.secret = {key: value for key, value in settled.secret.items() if key != entry} | ({} if content is None else {entry: content})
    settled.settle()
    assert settled.stored.authority == before
    assert settled.stored.pair
    assert not list(settled.broken_calls())


def test_other_names_are_another_pair(settled: Simulation) -> None:
    settled.policy = replace(POLICY, names=("percard.elsewhere.svc", "127.0.0.1"))
    settled.settle()
    assert settled.stored.pair
    assert names_of(settled.stored.pair.certificate) == {"percard.elsewhere.svc", "127.0.0.1"}


def test_a_moment_that_another_clock_wrote_into_the_future_does_not_hold_up_for_ever(settled: Simulation) -> None:
    settled.go_to_exchange()
    settled.settle()
    settled.secret = to_data(replace(settled.stored, published=settled.now + DAY))
    settled.settle()
    assert settled.stored.published == settled.now


def test_the_trust_of_a_lost_secret_is_kept_until_its_pairs_have_ended(settled: Simulation) -> None:
    old = settled.stored
    settled.secret = None
    settled.settle()
    assert old.authority
    assert settled.stored.authority is None
    assert old.authority.certificate in parts(settled.bundles["mutating"][0])
    settled.now += 30
    settled.settle()
    assert settled.stored.authority
    assert settled.stored.authority != old.authority
    settled.now = old.authority.pair.expires
    settled.settle()
    assert old.authority.certificate not in parts(settled.bundles["mutating"][0])


def test_of_a_lost_secret_no_authority_of_others_is_taken_over(world: Simulation) -> None:
    stranger = new_authority("somebody else", POLICY.authority_life, datetime.fromtimestamp(NOW, UTC))
    world.bundles["mutating"] = [stranger.certificate]
    world.settle()
    assert stranger.certificate not in parts(world.bundles["mutating"][0])


def test_an_authority_whose_key_is_damaged_in_the_middle_of_an_exchange_stays_trusted(settled: Simulation) -> None:
    settled.go_to_exchange()
    settled.settle()
    old = settled.stored.authority
    assert settled.secret
    settled.secret = settled.secret | {"signing.key": b"damaged"}
    for _ in range(10):
        settled.step()
        assert list(settled.broken_calls()) == []
        settled.now += 5
    assert settled.stored.authority
    assert settled.stored.authority != old


def test_an_authority_that_ended_while_nobody_looked_is_replaced_at_once(settled: Simulation) -> None:
    old = settled.stored.authority
    assert old
    settled.now = old.pair.expires + DAY
    settled.settle()
    stored = settled.stored
    assert stored.pair
    assert parts(stored.bundle) != [old.certificate]
    assert is_issued_by(stored.pair.certificate, stored.bundle)
