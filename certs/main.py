"""`percard-certs`: keeps the authority, the pair and caBundle of a cluster's installation."""

import argparse
import json
import re
import signal
import sys
import threading
import time
from collections.abc import Sequence
from datetime import timedelta

from certs.controller import Controller
from certs.controller_cluster import Cluster, Names, connect
from certs.controller_decide import AUTHORITY_LIFE, PAIR_LIFE, SETTLING, Policy
from certs.errors import ClusterError

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
_CANNOT_START = 2
# Certificates start five minutes early; of a shorter life two thirds would be over at once.
_SHORTEST_LIFE = timedelta(minutes=3)


class JsonLog:
    """Writes one JSON object a line to standard error, as the server does; never key material."""

    def info(self, event: str, **fields: object) -> None:
        """Tell what was done."""
        self._write("info", event, fields)

    def warning(self, event: str, **fields: object) -> None:
        """Tell what went wrong."""
        self._write("warning", event, fields)

    def _write(self, level: str, event: str, fields: dict[str, object]) -> None:
        line = {"time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "level": level, "event": event, **fields}
        print(json.dumps(line), file=sys.stderr, flush=True)  # noqa: T201 -- this is the log


def _duration(text: str) -> timedelta:
    match = re.fullmatch(r"([0-9]{1,6})([smhd])", text)
    if match is None or not int(match[1]):
        message = f"must be a duration with its unit (s, m, h, d), such as '30d', not {text!r}"
        raise argparse.ArgumentTypeError(message)
    return timedelta(seconds=int(match[1]) * _UNITS[match[2]])


def _life(text: str) -> timedelta:
    life = _duration(text)
    if life < _SHORTEST_LIFE:
        message = f"must be at least {_as_text(_SHORTEST_LIFE)}, not {text!r}"
        raise argparse.ArgumentTypeError(message)
    return life


def _as_text(span: timedelta) -> str:
    seconds = int(span.total_seconds())
    unit = next(unit for unit in reversed(_UNITS) if seconds % _UNITS[unit] == 0)
    return f"{seconds // _UNITS[unit]}{unit}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="percard-certs", description=__doc__, allow_abbrev=False)
    parser.add_argument("--namespace", required=True, help="namespace of the Secret and the Service")
    parser.add_argument("--secret", default="percard-tls", help="Secret to keep [%(default)s]")
    parser.add_argument("--service", default="percard", help="Service that the API server calls [%(default)s]")
    parser.add_argument("--mutating", default="percard", help="MutatingWebhookConfiguration to keep caBundle of [%(default)s]")
    parser.add_argument("--validating", default="percard", help="ValidatingWebhookConfiguration to keep caBundle of [%(default)s]")
    parser.add_argument("--name", action="append", default=[], help="further DNS name or IP address of the server; may be repeated")
    for option, kind, default, about in (
        ("--authority-life", _life, AUTHORITY_LIFE, "life of the authority"),
        ("--pair-life", _life, PAIR_LIFE, "life of the server's certificate; renewed when two thirds are over"),
        ("--settling", _duration, SETTLING, "how long API servers may take to see a changed configuration"),
    ):
        parser.add_argument(option, type=kind, default=default, metavar="SPAN", help=f"{about} [{_as_text(default)}]")
    parser.add_argument("--kubeconfig", metavar="FILE", help="credentials outside a cluster [those of the pod]")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until SIGTERM or SIGINT; return the exit code: 0, or 2 where there is no way to the API server."""
    options = _parser().parse_args(arguments)
    log = JsonLog()
    try:
        connection = connect(options.kubeconfig)
    except ClusterError as problem:
        log.warning("cannot start", problem=str(problem))
        return _CANNOT_START
    cluster = Cluster(connection, Names(options.namespace, options.secret, options.mutating, options.validating))
    stopping = threading.Event()
    controller = Controller(cluster, _policy(options), log)

    def stop(*_: object) -> None:
        stopping.set()
        controller.changed()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    cluster.watch(controller.changed, lambda problem: log.warning("changes are seen late", problem=problem), stopping)
    log.info("started", namespace=options.namespace, secret=options.secret)
    controller.run(stopping)
    log.info("stopped")
    return 0


def _policy(options: argparse.Namespace) -> Policy:
    host = f"{options.service}.{options.namespace}.svc"
    return Policy(
        names=(host, f"{host}.cluster.local", *options.name),
        authority_life=options.authority_life,
        pair_life=options.pair_life,
        settling=options.settling,
    )


if __name__ == "__main__":
    sys.exit(main())
