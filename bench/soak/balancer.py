"""A TCP balancer in front of the servers: haproxy, or where it is not installed the one of the cluster tests."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench.soak.result import SoakError
from bench.soak.servers import SoakServer, fixed_ports
from tests.e2e.installed.balancer import balanced
from tests.e2e.processes import Process

_CONFIGURATION = """\
global
    maxconn 4096
    nbthread 1
defaults
    mode tcp
    timeout connect 5s
    timeout client 10m
    timeout server 10m
    timeout check 5s
    retries 3
    option redispatch
frontend callers
    bind 127.0.0.1:{port}
    default_backend servers
backend servers
    balance roundrobin
    option httpchk GET /readyz
    default-server check inter 200ms fall 1 rise 1
{servers}
"""
_SERVER = "    server percard-{number} 127.0.0.1:{port} check port {ops_port}"


def require_balancer(*, must_be_haproxy: bool) -> None:
    """Raise `SoakError` where haproxy is missing and nothing else will do."""
    if must_be_haproxy and not _has_haproxy():
        message = "haproxy is needed: apt-get install haproxy"
        raise SoakError(message)


def _has_haproxy() -> bool:
    return shutil.which("haproxy") is not None


@contextmanager
def balancer(folder: Path, servers: Sequence[SoakServer]) -> Iterator[tuple[int, str]]:
    """Listen for the servers while the block runs; yield the port and the balancer's name."""
    (port,) = fixed_ports(1)
    if _has_haproxy():
        with _haproxy(folder, servers, port):
            yield port, "haproxy"
    else:
        with balanced(port, [(server.port, server.ops_port) for server in servers]) as own:
            own.look()
            yield port, "a balancer of the tests"


@contextmanager
def _haproxy(folder: Path, servers: Sequence[SoakServer], port: int) -> Iterator[None]:
    lines = [_SERVER.format(number=number, port=one.port, ops_port=one.ops_port) for number, one in enumerate(servers, 1)]
    file = folder / "haproxy.cfg"
    file.write_text(_CONFIGURATION.format(port=port, servers="\n".join(lines)), encoding="utf-8")
    with Process(["haproxy", "-db", "-f", file], folder / "haproxy.log") as process:
        process.wait_until(lambda: _listens(port))
        yield


def _listens(port: int) -> bool:
    marker = f"0100007F:{port:04X} 00000000:0000 0A"
    return marker in Path("/proc/net/tcp").read_text(encoding="ascii")
