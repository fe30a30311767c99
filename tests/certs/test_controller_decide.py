"""An authority is made, used, exchanged and dropped, whatever happens in between, and no call fails because of it."""

from dataclasses import replace
from datetime import timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec

from certs.controller_decide import AUTHORITY_NAME, Policy, Publish, Wait, Write
from certs.inspection import is_issued_by, names_of
from tests.certs.simulation import DAY, MINUTE, NOW, POLICY, Simulation, parts


@pytest.fixture
def world() -> Simulation:
    return Simulation()


@pytest.fixture
def settled(world: Simulation) -> Simulation:
    world.settle()
    return world


def test_a_new_installation_publishes_its_authority_before_it_signs_with_it(world: Simulation) -> None:
    actions = []
    while not isinstance(action := world.next(), Wait):
        actions.append((type(action), action.why))
        world.step()
    assert actions == [
        (Write, "there is no usable authority"),
        (Publish, "caBundle is not what it must be"),
        (Write, "no server shows a pair of another authority"),
    ]
    assert world.now == NOW


def test_the_pair_is_of_the_authority_that_every_entry_carries(settled: Simulation) -> None:
    stored = settled.stored
    assert stored.pair
    assert names_of(stored.pair.certificate) == {"percard.percard-system.svc"}
    assert {bundle for bundles in settled.bundles.values() for bundle in bundles} == {stored.bundle}
    assert len(parts(stored.bundle)) == 1
    assert is_issued_by(stored.pair.certificate, stored.bundle)


def test_keys_are_on_the_curve_p_256_and_certificates_begin_in_the_past(settled: Simulation) -> None:
    stored = settled.stored
    assert stored.authority
    assert stored.pair
    for pair in (stored.authority.pair, stored.pair):
        key = x509.load_pem_x509_certificate(pair.certificate).public_key()
        assert isinstance(key, ec.EllipticCurvePublicKey)
        assert key.curve.name == "secp256r1"
        assert pair.starts == NOW - 5 * MINUTE


def test_nothing_is_done_before_two_thirds_of_the_pair_s_life_are_over(settled: Simulation) -> None:
    pair = settled.stored.pair
    assert pair
    # 30 days and 5 minutes, two thirds of it counted from 5 minutes ago.
    assert settled.next() == Wait(NOW - 5 * MINUTE + (30 * DAY + 5 * MINUTE) * 2 / 3)
    settled.now = pair.renewal_due - 1
    assert isinstance(settled.next(), Wait)
    settled.now = pair.renewal_due
    assert isinstance(settled.next(), Write)
    before = settled.bundles["mutating"]
    settled.settle()
    assert settled.stored.pair != pair
    assert settled.bundles["mutating"] == before


def test_a_pair_that_ends_with_its_authority_is_not_renewed_over_and_over() -> None:
    world = Simulation(policy=replace(POLICY, authority_life=timedelta(days=40)))
    world.settle()
    assert world.stored.pair
    world.now = world.stored.pair.renewal_due
    world.settle()
    pair, authority = world.stored.pair, world.stored.authority
    assert authority
    assert pair.expires == authority.pair.expires
    # It is due after 33 days, the authority's exchange after 27: nothing else is done about either.
    assert world.next() == Wait(authority.pair.renewal_due)
    world.now = pair.renewal_due + DAY
    action = world.next()
    assert isinstance(action, Write)
    assert action.why == "two thirds of the authority's life are over"


def test_an_authority_is_exchanged_in_three_phases(settled: Simulation) -> None:
    old = settled.stored.authority
    settled.go_to_exchange()
    begin = settled.now
    settled.settle()
    stored = settled.stored
    assert old
    assert stored.authority == old
    assert stored.successor
    new = stored.successor
    assert parts(stored.bundle) == [old.certificate, new.certificate]
    assert stored.pair
    assert is_issued_by(stored.pair.certificate, old.certificate)
    assert settled.next() == Wait(begin + 30)

    settled.now = begin + 30
    ends = stored.signed_until
    settled.settle()
    stored = settled.stored
    assert (stored.authority, stored.successor) == (new, None)
    assert stored.pair
    assert is_issued_by(stored.pair.certificate, new.certificate)
    assert parts(settled.bundles["validating"][1]) == [old.certificate, new.certificate]

    settled.now = ends - 1
    settled.settle()
    assert len(parts(settled.stored.bundle)) == 2
    settled.now = ends
    settled.settle()
    assert parts(settled.bundles["mutating"][0]) == [new.certificate]


def test_the_new_authority_signs_nothing_while_one_entry_lacks_it(settled: Simulation) -> None:
    settled.go_to_exchange()
    settled.step()
    settled.step(configurations=1)
    stored = settled.stored
    assert stored.successor
    assert settled.bundles["mutating"][0] == stored.bundle
    settled.now += 10 * MINUTE
    action = settled.next()
    assert isinstance(action, Publish)
    assert action.configurations == ("validating",)


def test_the_wait_for_api_servers_begins_anew_where_a_configuration_was_overwritten(settled: Simulation) -> None:
    settled.go_to_exchange()
    settled.settle()
    settled.now += 20
    settled.bundles["validating"] = [b"", b""]
    settled.settle()
    assert settled.stored.published == settled.now
    settled.now += 29
    assert isinstance(settled.next(), Wait)


def test_the_name_of_authorities_stays_what_a_lost_secret_is_recovered_by() -> None:
    assert AUTHORITY_NAME == "percard webhook authority"
    assert Policy(names=("a",)).pair_life < Policy(names=("a",)).authority_life / 3
