"""Says what the last `mutmut run` found: the score, and whether each survivor stands in tests/mutants.md with its reason."""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from mutmut.mutation.data import SourceFileMutationData
from mutmut.mutation.diff_apply import get_diff_for_mutant
from mutmut.stats import status_by_exit_code
from mutmut.utils.file_utils import walk_mutatable_files
from mutmut.utils.format_utils import orig_function_and_class_names_from_key

REVIEWED = Path(__file__).resolve().parent.parent / "tests" / "mutants.md"
LEAST_PERCENT = 90
_BLOCK = re.compile(r"^```diff\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_KILLED = ("killed", "timeout")
_NOT_TESTED = ("caught by type check", "not checked")


def main() -> int:
    """Print the score, and the survivors that nobody has given a reason for; 1 where the score is too low."""
    found = list(_mutants())
    counts = Counter(status for _, _, status in found)
    survivors = {_change(path, name) for path, name, status in found if status not in (*_KILLED, *_NOT_TESTED)}
    reviewed = reviewed_changes(REVIEWED.read_text(encoding="utf-8"))
    percent = score(counts)
    print(f"{len(found)} mutants: {', '.join(f'{number} {status}' for status, number in counts.most_common())}")
    print(f"mutation score {percent:.1f} %, at least {LEAST_PERCENT} % are wanted; what the type checker refuses counts for neither side")
    _tell(f"survivors without a reason in {REVIEWED.name}", survivors - reviewed)
    if not counts["not checked"]:
        _tell(f"in {REVIEWED.name}, but no survivor any more", reviewed - survivors)
    return int(percent < LEAST_PERCENT)


def score(counts: Counter[str]) -> float:
    """Return how many percent of the mutants that were tested some test noticed."""
    tested = counts.total() - sum(counts[status] for status in _NOT_TESTED)
    return 100 * sum(counts[status] for status in _KILLED) / tested if tested else 0.0


def reviewed_changes(page: str) -> set[str]:
    """Return the changes in the page's diffs: a function and the lines that differ, which outlive the numbers of mutants."""
    return {
        change.strip() for block in _BLOCK.findall(page) for change in re.split(r"^(?=@@ )", block, flags=re.MULTILINE) if change.strip()
    }


def _mutants() -> Iterator[tuple[Path, str, str]]:
    for path in walk_mutatable_files():
        data = SourceFileMutationData(path=path)
        data.load()
        for name, code in data.exit_code_by_key.items():
            yield path, name, status_by_exit_code[code]


def _change(path: Path, name: str) -> str:
    function, owner = orig_function_and_class_names_from_key(name)
    lines = get_diff_for_mutant(name, path=path).splitlines()[2:]
    changed = [f"{line[0]} {line[1:].strip()}" for line in lines if line[0] in "+-"]
    return "\n".join([f"@@ {path} {f'{owner}.' if owner else ''}{function}", *changed])


def _tell(title: str, changes: set[str]) -> None:
    if changes:
        print(f"\n{len(changes)} {title}:\n", *sorted(changes), sep="\n")


if __name__ == "__main__":
    sys.exit(main())
