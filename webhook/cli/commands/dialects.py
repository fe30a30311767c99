"""`percard dialects`: lists the dialects, or prints the page of one."""

from pathlib import Path

import click

from webhook.cli.session import common_options, load_engine, load_translator, write
from webhook.cli.tables import aligned, page_of

_HELP = """List the dialects, or print the page of the dialect ID.

`percard convert` knows all of them; everything else those that are enabled, and the target.

\b
Examples:
  percard dialects
  percard dialects huawei

\b
Exit codes:
  0  printed
  2  there is no such dialect, wrong usage or settings
  4  a fault of percard itself
"""


@click.command("dialects", help=_HELP, short_help="List the vendors whose keys are known, or explain one.")
@click.argument("dialect_id", required=False, metavar="[ID]")
@common_options
def _dialects(dialect_id: str | None, config: Path | None) -> None:
    known = sorted(load_translator(config).dialects, key=lambda dialect: dialect.id)
    if dialect_id is not None:
        write(page_of("dialect", dialect_id, {dialect.id: dialect.page for dialect in known}))
        return
    enabled = {dialect.id for dialect in load_engine(config).dialects}
    rows = [
        (dialect.id, "everywhere" if dialect.id in enabled else "in convert", dialect.scheduler_name, dialect.title) for dialect in known
    ]
    write(aligned([("DIALECT", "KNOWN", "SCHEDULER", "STACK"), *rows]))


COMMAND = _dialects
