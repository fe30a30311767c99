"""`make soak`: what a server must bear for days, in minutes: no failed call, no lost connection, no growth, no harm from bad guests."""

import argparse
import ssl
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import trustme

from bench.soak.calls import Plan, soak_calls
from bench.soak.idle import soak_idle
from bench.soak.memory import soak_memory
from bench.soak.result import Result, SoakError
from bench.soak.servers import SoakServer
from bench.soak.visits import soak_visits
from tests.e2e.processes import NotReadyError
from tests.server.mounted import MountedSecret

_WARM_UP_REVIEWS = 10_000
_SHORT_IDLE = (4.9, 5.1)
# Shorter than shipped, so that many rounds fit; a guest that waits for one of them must be told within a second more.
_LIMITS = {"head": 1.0, "body": 2.0}


def main(arguments: Sequence[str]) -> int:
    """Run the parts that are asked for; return 0 where all is good, 1 where something failed, 2 where it could not be run."""
    options = _parser().parse_args(arguments)
    results: list[Result] = []
    try:
        with tempfile.TemporaryDirectory(prefix="percard-soak-") as folder:
            for part in options.part or PARTS:
                results += PARTS[part](options, Path(folder) / part)
    except (SoakError, NotReadyError) as problem:
        print(f"soak: {problem}", file=sys.stderr)
        return 2
    print("\nsoak:")
    for result in results:
        print(result.line())
    return 0 if all(result.good for result in results) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.soak.run", description=__doc__)
    parser.add_argument("part", nargs="*", metavar="part", help=f"{', '.join(PARTS)} (default: all)", type=_part_name)
    plan = Plan()
    for name in ("calls", "restarts", "renewals", "rewrites", "quiet_seconds"):
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=getattr(plan, name), help="(default: %(default)s)")
    parser.add_argument("--connections", type=int, default=200, help="that are left idle (default: %(default)s)")
    parser.add_argument("--idle-seconds", type=float, default=91.0, help="the longer of the two spans (default: %(default)s)")
    parser.add_argument("--reviews", type=int, default=1_000_000, help="that memory is measured after (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=30, help="that every kind of bad guest comes (default: %(default)s)")
    return parser


def _part_name(text: str) -> str:
    if text not in PARTS:
        message = f"must be one of {', '.join(PARTS)}"
        raise argparse.ArgumentTypeError(message)
    return text


def _calls(options: argparse.Namespace, folder: Path) -> list[Result]:
    plan = Plan(
        calls=options.calls,
        restarts=options.restarts,
        renewals=options.renewals,
        rewrites=options.rewrites,
        quiet_seconds=options.quiet_seconds,
    )
    return soak_calls(plan, folder)


def _idle(options: argparse.Namespace, folder: Path) -> list[Result]:
    with one_server(folder, {}) as (server, context):
        print("idle connections:", flush=True)
        return soak_idle(server.port, context, options.connections, (_SHORT_IDLE, (options.idle_seconds, options.idle_seconds)))


def _memory(options: argparse.Namespace, folder: Path) -> list[Result]:
    with one_server(folder, {}) as (server, context):
        print("memory and series:", flush=True)
        return soak_memory(server, context, _WARM_UP_REVIEWS, options.reviews)


def _guests(options: argparse.Namespace, folder: Path) -> list[Result]:
    environment = {f"PERCARD_SERVE__{name.upper()}_TIMEOUT": f"{seconds:g}s" for name, seconds in _LIMITS.items()}
    with one_server(folder, environment) as (server, context):
        print("bad guests:", flush=True)
        return soak_visits(server, context, _LIMITS, options.rounds)


PARTS: dict[str, Callable[[argparse.Namespace, Path], list[Result]]] = {
    "calls": _calls,
    "idle": _idle,
    "memory": _memory,
    "guests": _guests,
}


@contextmanager
def one_server(folder: Path, environment: Mapping[str, str]) -> Iterator[tuple[SoakServer, ssl.SSLContext]]:
    """Run a server as shipped, but that nobody keeps its log; yield it and a client's context."""
    folder.mkdir(parents=True)
    ca, secret = trustme.CA(), MountedSecret(folder / "secret")
    secret.issue(ca)
    server = SoakServer(Path("/dev/null"), secret.arguments, environment)
    try:
        server.start()
        yield server, ssl.create_default_context(cadata=ca.cert_pem.bytes().decode())
    finally:
        server.stop()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
