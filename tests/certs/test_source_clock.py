"""How a pair changes where the clock is wrong for a while, or is set right again."""

from pathlib import Path

import pytest
from cryptography import x509

from certs.authority import Authority, new_authority
from certs.source import FileSource, SelfSignedSource
from tests.certs.test_source import DAY, NOW, Clock, _mount


@pytest.fixture(scope="module")
def authority() -> Authority:
    return new_authority("test", 100 * DAY, NOW)


def _source(folder: Path, clock: Clock | None = None) -> FileSource:
    return FileSource(folder / "tls.crt", folder / "tls.key", clock or Clock())


def test_a_pair_that_a_wrong_clock_took_for_expired_is_taken_once_the_clock_is_right(tmp_path: Path, authority: Authority) -> None:
    clock = Clock()
    source = _source(tmp_path, clock)
    first, second = (authority.issue(["localhost"], DAY, NOW) for _ in range(2))
    _mount(tmp_path, "..1", first)
    source.poll()
    clock.now += 10 * DAY.total_seconds()
    _mount(tmp_path, "..2", second)
    assert (source.poll(), source.pair) == (False, first)
    assert "expired" in source.problem
    clock.now = NOW.timestamp()
    assert (source.poll(), source.pair, source.problem) == (True, second, "")


def test_a_pair_that_has_not_begun_waits_for_its_time_while_another_is_good(tmp_path: Path, authority: Authority) -> None:
    clock = Clock()
    source = _source(tmp_path, clock)
    first, second = authority.issue(["localhost"], 9 * DAY, NOW), authority.issue(["localhost"], DAY, NOW + 2 * DAY)
    _mount(tmp_path, "..1", first)
    source.poll()
    _mount(tmp_path, "..2", second)
    assert (source.poll(), source.pair) == (False, first)
    assert source.problem == "the certificate is not valid before 2026-12-02T11:55:00+00:00"
    clock.now += 2 * DAY.total_seconds()
    assert (source.poll(), source.pair, source.problem) == (True, second, "")


def test_a_pair_that_has_not_begun_is_better_than_none(tmp_path: Path, authority: Authority) -> None:
    source = _source(tmp_path)
    pair = authority.issue(["localhost"], DAY, NOW + 2 * DAY)
    _mount(tmp_path, "..1", pair)
    assert (source.poll(), source.pair) == (True, pair)


@pytest.mark.parametrize("days", [-1, -300, -20_000, 8, 300, 20_000])
def test_after_any_jump_of_the_clock_and_back_a_self_signed_leaf_and_its_authority_are_valid(days: int) -> None:
    clock = Clock()
    source = SelfSignedSource(["localhost"], clock=clock)
    source.poll()
    for now in (NOW + days * DAY, NOW):
        clock.now = now.timestamp()
        source.poll()
        assert source.pair
        for pem in (source.pair.certificate, source.authority):
            certificate = x509.load_pem_x509_certificate(pem)
            assert certificate.not_valid_before_utc <= now < certificate.not_valid_after_utc
