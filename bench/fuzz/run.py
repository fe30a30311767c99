"""`make fuzz`: inputs of every kind, right, damaged and hostile, none of which may make percard fail, hang, or forget whom it answers."""

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.fuzz import api, certificates, quantities, served, settings, texts
from bench.fuzz.outcome import Effort, Outcome
from bench.soak.result import Result
from bench.soak.run import one_server

Keep = Callable[[str, bytes], None]
Part = Callable[[Effort, Keep], list[Result]]


def _told(name: str, what: str, fuzz: Callable[[Effort], Outcome]) -> Part:
    def part(effort: Effort, keep: Keep) -> list[Result]:
        outcome = fuzz(effort)
        for number, data in enumerate(outcome.failed):
            keep(f"{name}-{number}", data)
        counts = ", ".join(f"{many:,} {kind}" for kind, many in sorted(outcome.counts.items()))
        return [Result(what, f"{counts}; the slowest took {outcome.slowest_seconds:.3f} s of CPU", not outcome.failed)]

    return part


def _reviews(effort: Effort, keep: Keep) -> list[Result]:
    with tempfile.TemporaryDirectory(prefix="percard-fuzz-") as folder, one_server(Path(folder) / "server", {}) as (server, context):
        return served.fuzz(server, context, effort, keep)


def _api(effort: Effort, _: Keep) -> list[Result]:
    with tempfile.TemporaryDirectory(prefix="percard-fuzz-") as folder, one_server(Path(folder) / "server", {}) as (server, context):
        return api.fuzz(server, context, effort)


def _keeper(folder: Path | None) -> Keep:
    def keep(name: str, data: bytes) -> None:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)

    return keep


PARTS: dict[str, Part] = {
    "texts": _told("texts", "texts that are checked and told of", texts.fuzz),
    "quantities": _told("quantities", "quantities, compared with decimal arithmetic", quantities.fuzz),
    "settings": _told("settings", "settings files", settings.fuzz),
    "certificates": _told("certificates", "certificates with their keys", certificates.fuzz),
    "api": _api,
    "reviews": _reviews,
}


def main(arguments: Sequence[str]) -> int:
    """Run the parts that are asked for; return 0 where nothing failed, else 1."""
    parser = argparse.ArgumentParser(prog="python -m bench.fuzz.run", description=__doc__)
    parser.add_argument("part", nargs="*", choices=list(PARTS), help=f"{', '.join(PARTS)} (default: all)")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each part (default: %(default)g)")
    parser.add_argument("--count", type=int, help="so many inputs for each part instead")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other inputs (default: %(default)s)")
    parser.add_argument("--keep", type=Path, help="folder for the inputs that failed")
    options = parser.parse_args(arguments)
    effort, keep = Effort(options.seconds, options.count, options.seed), _keeper(options.keep)
    results: list[Result] = []
    for name in options.part or PARTS:
        print(f"{name}:", flush=True)
        found = PARTS[name](effort, keep)
        for result in found:
            print(result.line(), flush=True)
        results += found
    return 0 if all(result.good for result in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
