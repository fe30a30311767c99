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


@click.command("checks", help=_HELP)
@click.argument("check_id", required=False, metavar="[ID]")
@common_options
def _checks(check_id: str | None, config: Path | None) -> None:
    engine = load_engine(config)
    if check_id is not None:
        write(page_of("check", check_id, {check.id: check.page.strip() + _repair(check.id) for check in engine.checks}))
        return
    rows = [
        (check.id, engine.rules.severity(check.id, check.severity), check.summary)
        for check in sorted(engine.checks, key=lambda check: check.id)
    ]
    write(aligned(rows))


def _repair(check_id: str) -> str:
    """Return what a page says of repairs."""
    from webhook.lint.fix import SAFE, UNSAFE

    if check_id in SAFE:
        return "\n\nRepair: `percard fix`"
    return "\n\nRepair: `percard fix --unsafe`, as another choice may be behind it" if check_id in UNSAFE else ""


COMMAND = _checks
