"""Short forms of `make soak`: nothing fails while everything changes, idle connections live on, nothing grows."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from bench.soak.calls import Plan, soak_calls
from bench.soak.idle import soak_idle
from bench.soak.memory import soak_memory
from bench.soak.result import Result
from bench.soak.run import main, one_server


def _bad(results: Sequence[Result]) -> Iterator[str]:
    return (result.line() for result in results if not result.good)


def test_no_call_fails_while_servers_restart_and_certificates_and_settings_change(tmp_path: Path) -> None:
    """Where haproxy is not installed, a balancer of the tests takes its place."""
    plan = Plan(calls=500, restarts=1, renewals=2, rewrites=2, quiet_seconds=1, between_seconds=0.5, must_be_haproxy=False)
    assert list(_bad(soak_calls(plan, tmp_path / "calls"))) == []


def test_two_hundred_connections_survive_the_moment_at_which_others_close_them(tmp_path: Path) -> None:
    """Uvicorn closes after 5 s by default, just when a caller may be sending."""
    with one_server(tmp_path / "idle", {}) as (server, context):
        assert list(_bad(soak_idle(server.port, context, 200, ((4.9, 5.1),)))) == []


def test_idle_connections_are_closed_at_the_limit_that_is_set(tmp_path: Path) -> None:
    """So that what keeps them open above is the limit, and the look at them can fail."""
    with one_server(tmp_path / "idle", {"PERCARD_SERVE__KEEP_ALIVE": "1s"}) as (server, context):
        first, *rest = soak_idle(server.port, context, 5, ((0.1, 0.2), (2.0, 2.0)))
        assert (first.good, [result.good for result in rest]) == (True, [True, False])


def test_memory_and_series_do_not_grow_with_reviews_and_namespaces(tmp_path: Path) -> None:
    with one_server(tmp_path / "memory", {}) as (server, context):
        assert list(_bad(soak_memory(server, context, warm_up=4000, reviews=12_000))) == []


def test_a_soak_that_cannot_run_ends_with_another_code_than_one_that_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["calls", "--calls", "1", "--restarts", "0", "--renewals", "0", "--rewrites", "0"]) == 2
    assert "haproxy is needed" in capsys.readouterr().err
