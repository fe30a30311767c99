"""How a pair changes under a running server: files that are swapped, and a leaf that grows old."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509

from certs.authority import Authority, new_authority
from certs.pair import Pair
from certs.source import FileSource, SelfSignedSource

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
DAY = timedelta(days=1)


class Clock:
    """A wall clock that a test sets."""

    def __init__(self) -> None:
        self.now = NOW.timestamp()

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def authority() -> Authority:
    return new_authority("test", 100 * DAY, NOW)


def _mount(folder: Path, version: str, pair: Pair) -> None:
    """Swap a Secret's files as the kubelet does: a new folder, then the link `..data` in one step."""
    (folder / version).mkdir()
    (folder / version / "tls.crt").write_bytes(pair.certificate)
    (folder / version / "tls.key").write_bytes(pair.key)
    (folder / "..new").symlink_to(version)
    (folder / "..new").rename(folder / "..data")
    for name in ("tls.crt", "tls.key"):
        if not (folder / name).is_symlink():
            (folder / name).symlink_to(f"..data/{name}")


def _source(folder: Path, clock: Clock | None = None) -> FileSource:
    return FileSource(folder / "tls.crt", folder / "tls.key", clock or Clock())


def test_missing_files_are_named_until_they_appear(tmp_path: Path, authority: Authority) -> None:
    source = _source(tmp_path)
    assert (source.poll(), source.pair) == (False, None)
    assert source.problem == f"cannot read '{tmp_path}/tls.crt': No such file or directory"
    pair = authority.issue(["localhost"], DAY, NOW)
    _mount(tmp_path, "..1", pair)
    assert (source.poll(), source.pair, source.problem) == (True, pair, "")


def test_a_secret_that_is_swapped_is_seen_once(tmp_path: Path, authority: Authority) -> None:
    first, second = (authority.issue(["localhost"], DAY, NOW) for _ in range(2))
    source = _source(tmp_path)
    _mount(tmp_path, "..1", first)
    assert (source.poll(), source.poll()) == (True, False)
    _mount(tmp_path, "..2", second)
    assert (source.poll(), source.poll()) == (True, False)
    assert source.pair == second


def test_a_bad_pair_keeps_the_one_before_and_is_told_until_it_is_gone(tmp_path: Path, authority: Authority) -> None:
    first, second = (authority.issue(["localhost"], DAY, NOW) for _ in range(2))
    source = _source(tmp_path)
    _mount(tmp_path, "..1", first)
    source.poll()
    (tmp_path / "..1" / "tls.key").write_bytes(second.key)
    for _ in range(2):
        assert (source.poll(), source.pair) == (False, first)
        assert "must be that of the first certificate" in source.problem
    (tmp_path / "..1" / "tls.crt").write_bytes(second.certificate)
    assert (source.poll(), source.pair, source.problem) == (True, second, "")


def test_going_back_to_the_old_pair_ends_the_problem(tmp_path: Path, authority: Authority) -> None:
    first = authority.issue(["localhost"], DAY, NOW)
    source = _source(tmp_path)
    _mount(tmp_path, "..1", first)
    source.poll()
    (tmp_path / "..1" / "tls.key").write_bytes(b"half")
    source.poll()
    (tmp_path / "..1" / "tls.key").write_bytes(first.key)
    source.poll()
    assert (source.pair, source.problem) == (first, "")


def test_a_pair_that_has_expired_is_never_taken(tmp_path: Path, authority: Authority) -> None:
    clock = Clock()
    source = _source(tmp_path, clock)
    _mount(tmp_path, "..1", authority.issue(["localhost"], DAY, NOW))
    clock.now += DAY.total_seconds()
    assert (source.poll(), source.pair) == (False, None)
    assert "expired" in source.problem


def test_a_self_signed_leaf_is_made_out_to_names_and_addresses() -> None:
    source = SelfSignedSource(["localhost", "127.0.0.1", "::1"], clock=Clock())
    assert source.authority == b""
    assert source.poll()
    assert source.pair
    leaf = x509.load_pem_x509_certificate(source.pair.certificate)
    names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["localhost"]
    assert list(map(str, names.get_values_for_type(x509.IPAddress))) == ["127.0.0.1", "::1"]
    leaf.verify_directly_issued_by(x509.load_pem_x509_certificate(source.authority))


def test_a_leaf_is_no_authority_and_an_authority_no_server() -> None:
    source = SelfSignedSource(["localhost"], clock=Clock())
    source.poll()
    assert source.pair
    for pem, is_authority in ((source.pair.certificate, False), (source.authority, True)):
        extensions = x509.load_pem_x509_certificate(pem).extensions
        assert extensions.get_extension_for_class(x509.BasicConstraints).value.ca is is_authority
        assert extensions.get_extension_for_class(x509.KeyUsage).value.key_cert_sign is is_authority


def test_a_leaf_is_renewed_at_two_thirds_of_its_life_by_the_same_authority() -> None:
    clock = Clock()
    source = SelfSignedSource(["localhost"], timedelta(seconds=600), clock)
    source.poll()
    first, authority = source.pair, source.authority
    # Its life is 900 s, because it starts 300 s early: two thirds are over 300 s from now.
    clock.now += 299
    assert not source.poll()
    clock.now += 2
    assert source.poll()
    assert source.pair != first
    assert source.authority == authority


def test_an_authority_that_grows_old_is_replaced() -> None:
    clock = Clock()
    source = SelfSignedSource(["localhost"], clock=clock)
    source.poll()
    old = source.authority
    clock.now += 300 * DAY.total_seconds()
    assert source.poll()
    assert source.authority != old


@pytest.mark.parametrize("name", ["tls.crt", "tls.key"])
def test_a_pipe_in_a_file_s_place_holds_nobody_up(tmp_path: Path, authority: Authority, name: str) -> None:
    pair = authority.issue(["localhost"], DAY, NOW)
    (tmp_path / "tls.crt").write_bytes(pair.certificate)
    (tmp_path / "tls.key").write_bytes(pair.key)
    source = _source(tmp_path)
    source.poll()
    (tmp_path / name).unlink()
    os.mkfifo(tmp_path / name)
    assert (source.poll(), source.pair, source.problem) == (False, pair, f"'{tmp_path}/{name}' must be a file")
