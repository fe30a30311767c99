"""`make bench-check`: how fast files are checked, beside PyYAML's C loader and kubeconform on the same files in the same run."""

import argparse
import compileall
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bench.check.corpora import Corpora, write
from bench.check.programs import ROOT, MissingError, build_kubeconform, csafeloader, kubeconform, percard, run
from bench.goals import Goal

# Exit code 1 says that there are findings.
_FINDINGS = (0, 1)
_LARGE_BYTES = 50_000_000
_LEAST = {"clean": 1.8, "with a finding": 1.4, "without marks": 20.0}
_LEAST_OF_KUBECONFORM = 10.0
_MOST_START_SECONDS = 0.15
_MOST_MIB = 100.0
_LEAST_OF_TWO = 1.8


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured."""

    files: int
    rounds: int


def main(arguments: Sequence[str]) -> int:
    """Run the comparison; return 0 where every goal is reached, 1 where one is missed, 2 where it cannot run."""
    parser = argparse.ArgumentParser(prog="python -m bench.check.run", description=__doc__)
    parser.add_argument("--files", type=int, default=10_000, help="files of each kind (default: 10000)")
    parser.add_argument("--rounds", type=int, default=3, help="alternating runs of each program (default: 3)")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="percard-bench-") as folder:
        # As the set-up leaves it: an environment that writes no bytecode would compile the source at every start.
        compileall.compile_dir(ROOT / "webhook", quiet=1)
        corpora = write(Path(folder), options.files, _LARGE_BYTES)
        try:
            goals = _goals(corpora, Plan(options.files, options.rounds), Path(folder))
        except MissingError as problem:
            print(f"bench: {problem}", file=sys.stderr)
            return 2
    print("\ngoals, as ratios (medians of alternating runs):")
    for goal in goals:
        print(goal.line())
    return 0 if all(goal.reached for goal in goals) else 1


def _goals(corpora: Corpora, plan: Plan, folder: Path) -> list[Goal]:
    goals = [_beside_yaml(corpora, plan, kind) for kind in corpora.folders]
    goals += _beside_kubeconform(corpora, plan, folder)
    goals += [_start(corpora, plan), _memory(corpora), _two_processes(corpora, plan)]
    charts = run(percard(corpora.charts))
    print(f"a repository of charts: {charts.cpu_seconds:.2f} s of processor time, nothing judged, exit code 0")
    return goals


def _cpu(command: Sequence[str | Path], one: Sequence[str | Path]) -> float:
    """Return the processor time of a program without that of its start: of all files less that of one."""
    return run(command, _FINDINGS).cpu_seconds - run(one, _FINDINGS).cpu_seconds


def _beside_yaml(corpora: Corpora, plan: Plan, kind: str) -> Goal:
    ratios = []
    for _ in range(plan.rounds):
        theirs = _cpu(csafeloader(corpora.folders[kind]), csafeloader(corpora.one))
        ours = _cpu(percard(corpora.folders[kind]), percard(corpora.one))
        print(f"{kind}: {plan.files / theirs:,.0f} files per CPU second by CSafeLoader alone, {plan.files / ours:,.0f} by percard")
        ratios.append(theirs / ours)
    return Goal(f"files {kind}, beside yaml.load(…, CSafeLoader)", median(ratios), _LEAST[kind])


def _beside_kubeconform(corpora: Corpora, plan: Plan, folder: Path) -> list[Goal]:
    try:
        program = build_kubeconform(folder)
    except MissingError as problem:
        print(f"not compared: {problem}")
        return []
    goals = []
    for kind in ("clean", "without marks"):
        ratios = []
        for _ in range(plan.rounds):
            theirs = _cpu(kubeconform(program, corpora.schemas, corpora.folders[kind]), kubeconform(program, corpora.schemas, corpora.one))
            ours = _cpu(percard(corpora.folders[kind]), percard(corpora.one))
            print(f"{kind}: {plan.files / theirs:,.0f} files per CPU second by kubeconform")
            ratios.append(theirs / ours)
        # Only what a checker may skip can be ten times as fast as reading it.
        least = _LEAST_OF_KUBECONFORM if kind == "without marks" else 1.0
        goals.append(Goal(f"files {kind}, beside kubeconform", median(ratios), least))
    return goals


def _start(corpora: Corpora, plan: Plan) -> Goal:
    seconds = median(run(percard(corpora.one)).cpu_seconds for _ in range(4 * plan.rounds + 1))
    print(f"one file, start to end: {seconds:.3f} s of processor time")
    return Goal(f"one file, start to end: {_MOST_START_SECONDS} s over what it took", _MOST_START_SECONDS / seconds, 1.0)


def _memory(corpora: Corpora) -> Goal:
    cost = run(percard(corpora.large))
    print(f"a file of {_LARGE_BYTES // 1_000_000} MB: {cost.peak_mib:.0f} MiB at most, {cost.cpu_seconds:.2f} s")
    return Goal(f"a large file: {_MOST_MIB:.0f} MiB over what it took", _MOST_MIB / cost.peak_mib, 1.0)


def _two_processes(corpora: Corpora, plan: Plan) -> Goal:
    ratios = []
    everything = list(corpora.folders.values())
    runs = (("1", [corpora.one]), ("1", everything), ("2", everything))
    for _ in range(plan.rounds):
        start, one, two = (run(percard("-j", jobs, *folders), _FINDINGS).wall_seconds for jobs, folders in runs)
        print(f"all files: {one:.2f} s by the clock with -j 1, {two:.2f} s with -j 2, of which {start:.2f} s to start")
        ratios.append((one - start) / (two - start))
    return Goal("-j 2 beside -j 1, by the clock (other load distorts it)", median(ratios), _LEAST_OF_TWO)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
