"""Writes the documents that are generated from the code; with --check, says which are out of date."""

import argparse
import difflib
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from tools import metrics_page, plugin_pages, policies_page, settings_page, translation_page

ROOT = Path(__file__).resolve().parent.parent
HELP = re.compile(r"(<!-- begin help: (?P<command>[a-z ]+) -->\n).*?(<!-- end help: (?P=command) -->)", re.DOTALL)
# Wide enough for the longest option, the same on every terminal.
_HELP_COLUMNS = "100"


def readme() -> str:
    """Return README.md with the text of `percard … --help` between its markers."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return HELP.sub(lambda block: f"{block[1]}```\n{_help(block['command'])}```\n{block[3]}", text)


def _help(command: str) -> str:
    program = Path(sys.executable).with_name("percard")
    environment = {**os.environ, "COLUMNS": _HELP_COLUMNS, "NO_COLOR": "1"}
    answer = subprocess.run([program, *command.split(), "--help"], env=environment, capture_output=True, text=True, check=True)
    return answer.stdout


# Each document and the function that returns its whole text.
DOCUMENTS: dict[str, Callable[[], str]] = {
    "docs/checks.md": plugin_pages.checks,
    "docs/dialects.md": plugin_pages.dialects,
    "docs/settings.md": settings_page.settings,
    "docs/metrics.md": metrics_page.metrics,
    "docs/policies.md": policies_page.policies,
    "docs/translation.md": translation_page.translation,
    **translation_page.pages(),
    "README.md": readme,
}


def outdated() -> Iterable[tuple[Path, str, str]]:
    """Yield the file, its present and its right text for each document that is not up to date."""
    for name, render in DOCUMENTS.items():
        file = ROOT / name
        present = file.read_text(encoding="utf-8") if file.exists() else ""
        right = render()
        if present != right:
            yield file, present, right


def write() -> int:
    """Bring every document up to date."""
    for file, _, right in outdated():
        file.write_text(right, encoding="utf-8")
        print(f"written: {file.relative_to(ROOT)}")
    return 0


def check() -> int:
    """Show what is out of date; return 1 if anything is."""
    found = list(outdated())
    for file, present, right in found:
        name = str(file.relative_to(ROOT))
        difference = difflib.unified_diff(
            present.splitlines(), right.splitlines(), f"{name} (in the tree)", f"{name} (generated)", lineterm="", n=1
        )
        print("\n".join(difference))
    if found:
        print("\nThe generated documents are out of date; run: make docs")
    return 1 if found else 0


def main(arguments: Sequence[str]) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.docs", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 where a document is out of date")
    return check() if parser.parse_args(arguments).check else write()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
