"""`percard policies`: prints the same rules as admission policies of Kubernetes itself."""

from pathlib import Path
from typing import get_args

import click

from webhook.cli.session import common_options, load_engine, tell, write
from webhook.policies.bindings import Action
from webhook.policies.documents import yaml_text
from webhook.policies.generation import Kind, policies, unsaid
from webhook.policies.model import Version

_HELP = """Print the rules and settings in force as admission policies that Kubernetes evaluates itself.

A floor below the webhook, or all that a small cluster needs: nothing has to run. What a policy
cannot say is in docs/policies.md; what of the settings in force it cannot say is told on stderr.

Validating policies hold from Kubernetes 1.30 on, mutating ones from 1.36.

\b
Examples:
  percard policies | kubectl apply -f -
  percard policies --kind validating --min-version 1.30 --action warn > policies.yaml

\b
Exit codes:
  0  printed
  2  wrong usage or settings
  4  a fault of percard itself
"""


@click.command("policies", help=_HELP, short_help="Print the rules as admission policies of Kubernetes.")
@click.option("--kind", type=click.Choice(get_args(Kind)), default="all", show_default=True, help="Which policies to print.")
@click.option(
    "--min-version",
    "version",
    type=click.Choice(get_args(Version)),
    default="1.36",
    show_default=True,
    help="The oldest Kubernetes that they must hold on.",
)
@click.option(
    "--action",
    type=click.Choice(get_args(Action)),
    default="deny",
    show_default=True,
    help="What becomes of errors in namespaces whose label percard.webhook/mode names no other mode.",
)
@common_options
def _policies(kind: Kind, version: Version, action: Action, config: Path | None) -> None:
    engine = load_engine(config)
    for remark in unsaid(engine, kind, version):
        tell(f"percard: {remark}")
    write(yaml_text(policies(engine, kind, version, action)))


COMMAND = _policies
