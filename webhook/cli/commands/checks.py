"""`percard checks`: lists the checks, or prints the page of one."""

from pathlib import Path

import click

from webhook.cli.session import common_options, load_engine, write
from webhook.cli.tables import aligned, page_of

_HELP = """List the checks with the severity in force, or print the page of the check ID.

\b
Examples:
  percard checks
  percard checks memory-step

\b
Exit codes:
  0  printed
  2  there is no such check, wrong usage or settings
  4  a fault of percard itself
"""


@click.command("checks", help=_HELP, short_help="List the rules, or explain one.")
@click.argument("check_id", required=False, metavar="[ID]")
@common_options
def _checks(check_id: str | None, config: Path | None) -> None:
    engine = load_engine(config)
    if check_id is not None:
        from webhook.lint.fix import repair_of

        write(page_of("check", check_id, {check.id: f"{check.page.strip()}\n\nRepair: {repair_of(check.id)}" for check in engine.checks}))
        return
    rows = [
        (check.id, engine.rules.severity(check.id, check.severity), check.summary)
        for check in sorted(engine.checks, key=lambda check: check.id)
    ]
    write(aligned(rows))


COMMAND = _checks
