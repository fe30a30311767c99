"""`percard baseline`: prints the present findings, for `check --baseline` to leave out."""

from pathlib import Path

import click

from webhook.cli.exits import Exit
from webhook.cli.session import common_options, load_engine, session_of, sources_of, tell, write
from webhook.lint.baseline import baseline_of
from webhook.lint.run import Checker

_HELP = """Print the findings at PATH... as a baseline, so that `percard check --baseline` reports new ones only.

A finding is known by its check, file, object, field and value, not by its line. Start percard in the
same folder each time: files are named relative to it.

\b
Examples:
  percard baseline . > percard-baseline.json
  percard check --baseline percard-baseline.json .

\b
Exit codes:
  0  printed
  2  wrong usage or settings
  3  an input could not be read or parsed
  4  a fault of percard itself
"""


@click.command("baseline", help=_HELP, short_help="Print the present findings, so that only new ones count.")
@click.argument("paths", nargs=-1, required=True, type=click.Path(), metavar="PATH...")
@click.option("--exclude", multiple=True, metavar="GLOB", help="Leave out below folders, in the syntax of .gitignore; may be repeated.")
@common_options
@click.pass_context
def _baseline(ctx: click.Context, paths: tuple[str, ...], exclude: tuple[str, ...], config: Path | None) -> int:
    report = Checker(load_engine(config)).check(sources_of(paths, exclude))
    for note in report.notes:
        tell(f"percard: {note}")
    for broken in report.unreadable:
        tell(f"percard: {broken.file}: {broken.message}")
    session_of(ctx).code = Exit.UNREADABLE if report.unreadable else Exit.CLEAN
    write(baseline_of(report))
    tell(f"percard: the baseline holds {len(report.findings)} finding{'' if len(report.findings) == 1 else 's'}")
    return session_of(ctx).code


COMMAND = _baseline
