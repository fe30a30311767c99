"""`percard dialects`: lists the dialects, or prints the page of one."""

from pathlib import Path

import click

from webhook.cli.session import common_options, load_engine, write
from webhook.cli.tables import aligned, page_of

_HELP = """List the dialects that are enabled, or print the page of the dialect ID.

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


@click.command("dialects", help=_HELP)
@click.argument("dialect_id", required=False, metavar="[ID]")
@common_options
def _dialects(dialect_id: str | None, config: Path | None) -> None:
    engine = load_engine(config)
    if dialect_id is not None:
        write(page_of("dialect", dialect_id, {dialect.id: dialect.page for dialect in engine.dialects}))
        return
    write(aligned([(dialect.id, dialect.title, f"scheduler {dialect.scheduler_name}") for dialect in engine.dialects]))


COMMAND = _dialects
