"""Load from wrk: many requests over kept-alive TLS connections."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

_SCRIPT = Path(__file__).with_name("load.lua")


class LoadError(Exception):
    """The load could not be made, or some of it was not answered well."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What one run measured."""

    requests: int
    per_second: float
    p50_us: float
    p99_us: float


def require_wrk() -> None:
    """Raise `LoadError` where wrk is missing."""
    if shutil.which("wrk") is None:
        message = "wrk is needed to make the load: apt-get install wrk"
        raise LoadError(message)


def make_load(url: str, bodies: Path, *, connections: int, seconds: int, core: int) -> Figures:
    """Post the bodies by turns as often as the server answers, from one core. Raises `LoadError` where any call fails."""
    command = ["taskset", "-c", str(core), "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s", "-s", str(_SCRIPT), url]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "BENCH_BODIES": str(bodies)})
    figures = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("FIGURES ")]
    if not figures:
        message = f"wrk said nothing about {url}: {done.stdout}{done.stderr}"
        raise LoadError(message)
    requests, duration_us, failed, p50_us, p99_us = map(int, figures[0])
    if failed or not requests:
        message = f"{failed} of {requests} calls to {url} failed"
        raise LoadError(message)
    return Figures(requests, requests / (duration_us / 1e6), p50_us, p99_us)
