"""`percard config`: prints the settings in force and where each came from."""

import json
from pathlib import Path

import click

from webhook.cli.session import common_options, write
from webhook.cli.tables import aligned
from webhook.settings.in_force import settings_in_force
from webhook.settings.loading import Sources

_HELP = """Print every setting in force and where it came from: default, file, environment variable.

\b
Examples:
  percard config
  percard config --config percard.yaml | grep -v '# default$'

\b
Exit codes:
  0  printed
  2  wrong usage, or settings that cannot be used
  4  a fault of percard itself
"""


@click.command("config", help=_HELP, short_help="Print the settings in force and where each came from.")
@common_options
def _config(config: Path | None) -> None:
    settings = settings_in_force(Sources(config))
    write(aligned([(f"{one.path}:", json.dumps(one.value, ensure_ascii=False), f"# {one.origin}") for one in settings]))


COMMAND = _config
