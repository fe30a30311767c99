"""No call fails while everything changes: callers, a balancer, two servers."""

import ssl
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import trustme

from bench.soak.balancer import balancer, require_balancer
from bench.soak.callers import Callers
from bench.soak.changes import Changes
from bench.soak.result import Result, SoakError
from bench.soak.servers import SoakServer
from tests.server.mounted import MountedSecret

if TYPE_CHECKING:
    from collections.abc import Callable

_TOLD_EVERY_SECONDS = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How much: calls on kept-alive connections at least, restarts of each server, renewals, rewrites of either kind.

    Seconds of the servers' quiet period, and between two changes of a kind; `most_seconds` is a guard.
    """

    calls: int = 100_000
    restarts: int = 10
    renewals: int = 20
    rewrites: int = 20
    quiet_seconds: int = 5
    between_seconds: float = 4.0
    connections: int = 6
    singles: int = 2
    must_be_haproxy: bool = True
    most_seconds: float = 1500.0


def soak_calls(plan: Plan, folder: Path) -> list[Result]:
    """Run it; files are made in `folder`. Raises `SoakError` where it could not be run."""
    require_balancer(must_be_haproxy=plan.must_be_haproxy)
    folder.mkdir(parents=True)
    ca, secret, settings = trustme.CA(), MountedSecret(folder / "secret"), folder / "percard.yaml"
    secret.issue(ca)
    settings.write_text("workloads: error\n", encoding="utf-8")
    environment = {"PERCARD_SERVE__QUIET_PERIOD": f"{plan.quiet_seconds}s"}
    arguments = [*secret.arguments, "--config", str(settings)]
    servers = [SoakServer(folder / f"server-{number}.log", arguments, environment) for number in (1, 2)]
    changes = Changes(servers, secret, ca, settings)
    context = ssl.create_default_context(cadata=ca.cert_pem.bytes().decode())
    try:
        for server in servers:
            server.start()
        with balancer(folder, servers) as (port, name):
            print(f"calls through {name}, while servers restart, the leaf is renewed and settings are rewritten:", flush=True)
            callers = Callers(port, context, pause_seconds=0.002)
            with callers.calling(plan.connections, plan.singles):
                _change(plan, changes, callers)
    finally:
        for server in servers:
            server.stop()
    return _results(plan, changes, callers)


def _change(plan: Plan, changes: Changes, callers: Callers) -> None:
    """Return once every change is made and there were calls enough, or something went wrong."""
    parts: list[tuple[Callable[[], None], int, float]] = [
        (changes.restart, 2 * plan.restarts, plan.between_seconds / 4),
        (changes.renew, plan.renewals, plan.between_seconds),
        (changes.rewrite, plan.rewrites, plan.between_seconds / 2),
    ]
    begin = told = time.monotonic()
    with changes.going_on(parts) as threads:
        while any(thread.is_alive() for thread in threads) or len(callers.kept.seconds) < plan.calls:
            time.sleep(0.1)
            now, done = time.monotonic(), changes.done
            if now - told > _TOLD_EVERY_SECONDS:
                told = now
                counts = f"{done.restarts} restarts, {done.renewals} renewals, {done.good} + {done.bad} rewrites"
                print(f"  {now - begin:4.0f} s: {len(callers.kept.seconds):,} calls, {counts}", flush=True)
            if done.problems:
                raise SoakError("; ".join(done.problems))
            if now - begin > plan.most_seconds:
                message = f"not done after {plan.most_seconds:g} s"
                raise SoakError(message)


def _results(plan: Plan, changes: Changes, callers: Callers) -> list[Result]:
    done, kept, single = changes.done, callers.kept, callers.single
    return [
        Result(
            f"calls on {plan.connections} connections that are kept alive", kept.told, not kept.failures and len(kept.seconds) >= plan.calls
        ),
        Result(f"calls on a connection each, from {plan.singles} callers", single.told, not single.failures),
        Result(f"restarts, quiet period {plan.quiet_seconds} s", f"{done.restarts}, every exit code 0", done.restarts == 2 * plan.restarts),
        Result("renewals of the leaf", f"{done.renewals}; {len(single.leaves)} leaves met by callers", done.renewals == plan.renewals),
        Result("rewrites of the settings", f"{done.good} well, {done.bad} badly", done.good == done.bad == plan.rewrites),
    ]
