"""`make bench`: percard, a Go webhook and a plain FastAPI route under the same load, on one core, side by side."""

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import trustme

from bench import bodies, contenders
from bench.answers import require_right_answers
from bench.contenders import Contender, MissingError, Place
from bench.creation import compare_creation
from bench.goals import Goal, Run, p99_ratio, throughput_ratio
from bench.load import LoadError, make_load, require_wrk

_AT_A_TIME = (16, 1)
_SERVER_CORE, _LOAD_CORE = 0, 1
_WARM_UP_SECONDS = 2
# (case, connections, contender) -> one entry per round
Measured = dict[tuple[str, int, str], list[Run]]


@dataclass(frozen=True, slots=True)
class Plan:
    """How long is measured."""

    rounds: int
    seconds: int


def main(arguments: Sequence[str]) -> int:
    """Run the comparison; return 0 where every goal is reached, 1 where one is missed, 2 where it cannot run."""
    parser = argparse.ArgumentParser(prog="python -m bench.run", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="alternating runs of each server (default: 5)")
    parser.add_argument("--seconds", type=int, default=4, help="length of each run (default: 4)")
    parts = parser.add_mutually_exclusive_group()
    parts.add_argument("--without-creation", action="store_true", help="leave out the part against a real kube-apiserver")
    parts.add_argument("--only-creation", action="store_true", help="leave out the load; what webhooks and policies add takes two minutes")
    options = parser.parse_args(arguments)
    try:
        plan = None if options.only_creation else Plan(options.rounds, options.seconds)
        goals = run(plan, with_creation=not options.without_creation)
    except (LoadError, MissingError) as problem:
        print(f"bench: {problem}", file=sys.stderr)
        return 2
    print("\ngoals, as ratios (medians of alternating pairs):")
    for goal in goals:
        print(goal.line())
    return 0 if all(goal.reached for goal in goals) else 1


def run(plan: Plan | None, *, with_creation: bool) -> list[Goal]:
    """Start the servers, measure all of it, without a plan no load, and return the goals."""
    _require_two_cores()
    if plan is not None:
        require_wrk()
    print(f"Python {sys.version}")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="percard-bench-")))
        authority = trustme.CA()
        place = Place.made(folder, _SERVER_CORE, authority)
        start = (contenders.percard, contenders.peer, contenders.plain)
        servers = [stack.enter_context(begin(place)) for begin in start]
        goals = [] if plan is None else [*_goals(_measure(servers, folder, plan)), _memory_goal(servers)]
        if with_creation:
            goals += compare_creation(servers, folder, authority)
    return goals


def _require_two_cores() -> None:
    if (os.cpu_count() or 1) <= _LOAD_CORE:
        message = "two cores are needed: one for the server, one for the load"
        raise MissingError(message)


def _measure(servers: Sequence[Contender], folder: Path, plan: Plan) -> Measured:
    measured: Measured = {}
    print(f"{'case':<16}{'at a time':>10}  {'server':<9}{'req/s':>9}{'req/s/core':>12}{'p50 ms':>9}{'p99 ms':>9}")
    for case in bodies.CASES:
        file = bodies.write_bodies(case, folder / f"{case}.json")
        for server in servers:
            require_right_answers(server, case, file)
        for connections in _AT_A_TIME:
            runs = _alternate(servers, case, file, connections, plan)
            for server in servers:
                measured[case, connections, server.name] = runs[server.name]
                print(f"{case:<16}{connections:>10}  {_row(server.name, runs[server.name])}", flush=True)
    return measured


def _alternate(servers: Sequence[Contender], case: str, file: Path, connections: int, plan: Plan) -> dict[str, list[Run]]:
    """Measure the servers by turns, so that what else the machine does meets all of them."""

    def load(server: Contender, seconds: int) -> Run:
        before = server.cpu_seconds()
        seen = make_load(server.url(case), file, connections=connections, seconds=seconds, core=_LOAD_CORE)
        return Run(seen, server.cpu_seconds() - before)

    for server in servers:
        load(server, _WARM_UP_SECONDS)
    rounds = [{server.name: load(server, plan.seconds) for server in servers} for _ in range(plan.rounds)]
    return {server.name: [one[server.name] for one in rounds] for server in servers}


def _row(name: str, runs: Sequence[Run]) -> str:
    per_second, per_core = median(run.seen.per_second for run in runs), median(run.per_core for run in runs)
    p50_ms, p99_ms = (median(getattr(run.seen, which) for run in runs) / 1000 for which in ("p50_us", "p99_us"))
    return f"{name:<9}{per_second:>9.0f}{per_core:>12.0f}{p50_ms:>9.2f}{p99_ms:>9.2f}"


def _goals(measured: Measured) -> list[Goal]:
    def against(case: str, other: str) -> float:
        return throughput_ratio(measured[case, 16, "percard"], measured[case, 16, other])

    return [
        Goal("requests per second and core to the Go peer's, patched", against("patched", "peer"), 15),
        Goal("requests per second and core to the Go peer's, denied", against("denied", "peer"), 6),
        Goal("requests per second and core to the Go peer's, without marks", against("unmarked", "peer"), 12),
        Goal("the same, patched, each pod of another workload", against("patched-varied", "peer"), 15),
        Goal("the same, denied, each pod of another workload", against("denied-varied", "peer"), 6),
        Goal("99th percentile of the Go peer to ours, patched, 16 at a time", _p99(measured), 8),
        Goal("requests per second and core to the plain FastAPI route's, patched", against("patched", "plain"), 12),
    ]


def _p99(measured: Measured) -> float:
    return p99_ratio(measured["patched", 16, "percard"], measured["patched", 16, "peer"])


def _memory_goal(servers: Sequence[Contender]) -> Goal:
    rss_mib = {server.name: server.rss_mib() for server in servers}
    figures = (f"{server.name} {rss_mib[server.name]:.0f} (at most {server.peak_mib():.0f})" for server in servers)
    print("resident memory after the load, MiB: " + ", ".join(figures))
    return Goal("resident memory of the Go peer to ours", rss_mib["peer"] / rss_mib["percard"], 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
