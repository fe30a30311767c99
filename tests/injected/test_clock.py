"""A wall clock that jumps under a running server: what it shows is valid by the clock that is, and nothing else is disturbed."""

import ssl
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509

from certs.authority import new_authority
from certs.inspection import is_issued_by
from tests.injected.conditions import CLOCK, LOOKS_OFTEN, before_start
from tests.server.callers import Callers
from tests.server.process import PATIENCE_SECONDS, Server

JUMPS = (8, 400, 0, -400, 0, 20_000, -20_000, 0)


def _is_valid(pem: str, ahead: timedelta) -> bool:
    certificate = x509.load_pem_x509_certificate(pem.encode())
    return certificate.not_valid_before_utc <= datetime.now(UTC) + ahead < certificate.not_valid_after_utc


def _settled(server: Server, ahead: timedelta) -> bool:
    """Say whether leaf and authority are valid by the server's clock, and the server is ready."""
    leaf, authority = ssl.get_server_certificate(("127.0.0.1", server.port)), server.ops("/ca.pem")[1].decode()
    is_issued = is_issued_by(leaf.encode(), authority.encode())
    return is_issued and _is_valid(leaf, ahead) and _is_valid(authority, ahead) and server.ops("/readyz")[0] == 200


def test_a_self_signed_server_shows_a_valid_leaf_whatever_the_clock_does_and_loses_no_call(tmp_path: Path) -> None:
    ahead = tmp_path / "ahead"
    ahead.write_text("0")
    environ = before_start(tmp_path / "site", CLOCK.format(file=str(ahead)), LOOKS_OFTEN)
    with Server(tmp_path, "--self-signed", environ=environ) as server:
        server.wait_for("serving")
        with Callers(server) as callers:
            callers.wait_for(20)  # on connections that are made by a clock that both share
            for days in JUMPS:
                (tmp_path / "next").write_text(str(days * 86_400))
                (tmp_path / "next").replace(ahead)
                over = time.monotonic() + PATIENCE_SECONDS
                while not _settled(server, timedelta(days=days)):
                    assert time.monotonic() < over, f"not settled after a jump to {days} days"
                callers.wait_for(20)
        assert callers.bad == []
        assert callers.good >= 20 * len(JUMPS)


@pytest.mark.parametrize("days", [1, 20_000])
def test_a_server_is_not_ready_while_the_clock_says_that_its_pair_is_over_and_is_again_afterwards(tmp_path: Path, days: int) -> None:
    """With files there is nothing to renew; calls on open connections are answered all the same."""
    ahead = tmp_path / "ahead"
    ahead.write_text("0")
    environ = before_start(tmp_path / "site", CLOCK.format(file=str(ahead)), LOOKS_OFTEN)
    with Server(tmp_path, *_files(tmp_path), environ=environ) as server:
        server.wait_for("serving")
        server.ca = ssl.create_default_context(cafile=str(tmp_path / "ca.pem"))
        with Callers(server) as callers:
            for seconds, status in ((0, 200), (days * 86_400, 503), (0, 200)):
                ahead.write_text(str(seconds))
                assert server.ops("/readyz")[0] == status
                callers.wait_for(20)
        assert callers.bad == []


def _files(folder: Path) -> tuple[str, ...]:
    """Write a pair that is good for an hour, and its authority; return the arguments that serve it."""
    now = datetime.now(UTC)
    authority = new_authority("test", timedelta(days=1), now)
    pair = authority.issue(["127.0.0.1"], timedelta(hours=1), now)
    for name, content in (("ca.pem", authority.certificate), ("tls.crt", pair.certificate), ("tls.key", pair.key)):
        (folder / name).write_bytes(content)
    return "--cert", str(folder / "tls.crt"), "--key", str(folder / "tls.key")
