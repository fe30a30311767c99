"""`percard policies`: prints the same rules as admission policies of Kubernetes itself."""

from pathlib import Path
from typing import get_args

import click

from webhook.cli.session import common_options, load_engine, tell, write
from webhook.policies.bindings import Action
from webhook.policies.documents import yaml_text
from webhook.policies.generation import Kind, policies, unsaid
from webhook.policies.model import MUTATING_SINCE, VERSIONS, Version, version_for

_HELP = """Print the rules and settings in force as admission policies that Kubernetes evaluates itself.

A floor below the webhook, or all that a small cluster needs: nothing has to run. What a policy
cannot say is in docs/policies.md; what of the settings in force it cannot say is told on stderr.

Without --min-version they are for every Kubernetes from 1.30 on: validating policies, which refuse
what is wrong. From 1.36 there is a mutating one as well, which writes the scheduler's name and the
limits of each card; it is printed where --min-version is 1.36 or newer.

\b
Examples:
  percard policies | kubectl apply -f -
  percard policies --min-version 1.36 | kubectl apply -f -
  percard policies --action warn > policies.yaml

\b
Exit codes:
  0  printed
  2  wrong usage or settings
  4  a fault of percard itself
"""


class _VersionType(click.ParamType[Version]):
    """Any release of Kubernetes for which there are policies."""

    name = "version"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> Version:
        """Return the newest version that policies are written for and the release understands."""
        found = version_for(value)
        if found is None:
            self.fail(f"'{value}' must be a version of Kubernetes, {VERSIONS[0]} or newer, such as 1.33", param, ctx)
        return found


@click.command("policies", help=_HELP, short_help="Print the rules as admission policies of Kubernetes.")
@click.option(
    "--kind",
    type=click.Choice(get_args(Kind)),
    default="all",
    show_default=True,
    help="Which policies to print: all are those that exist on the oldest Kubernetes.",
)
@click.option(
    "--min-version",
    "wanted",
    type=_VersionType(),
    metavar="VERSION",
    help=f"The oldest Kubernetes that they must hold on [default: {VERSIONS[0]}; {MUTATING_SINCE} for --kind mutating].",
)
@click.option(
    "--action",
    type=click.Choice(get_args(Action)),
    default="deny",
    show_default=True,
    help="What becomes of errors in namespaces whose label percard.webhook/mode names no other mode.",
)
@common_options
def _policies(kind: Kind, wanted: Version | None, action: Action, config: Path | None) -> None:
    version = wanted or (MUTATING_SINCE if kind == "mutating" else VERSIONS[0])
    if kind == "mutating" and version != MUTATING_SINCE:
        message = f"--kind mutating must have --min-version {MUTATING_SINCE} or newer: an older Kubernetes knows no such policies"
        raise click.UsageError(message)
    engine = load_engine(config)
    for remark in unsaid(engine, kind, version):
        tell(f"percard: {remark}")
    write(yaml_text(policies(engine, kind, version, action)))


COMMAND = _policies
