"""`percard explain`: says what each container gets on each card."""

from pathlib import Path
from typing import Any, Literal

import click

from webhook.cli.exits import Exit
from webhook.cli.inputs import Teller
from webhook.cli.session import common_options, load_engine, session_of, sources_of, tell_nothing_shared, write
from webhook.lint.explain import as_json, as_text, explain
from webhook.lint.inputs import read_inputs

_HELP = """Say for every pod and pod template at PATH... what each container gets on each card.

Figures are exact: what does not divide is shown as a fraction (8192/3), and the findings are named
on stderr; nothing is granted while there are errors. The scheduler is the one that will place the
pod once it is patched. Of memory and compute it is said what the vendor's nodes enforce
("isolated"), and what only counts for placing the pod ("scheduled only").

\b
Examples:
  percard explain pod.yaml
  kubectl get deploy app -o yaml | percard explain -
  percard explain -o json manifests/ | jq '.pods[].containers[].perCard'

\b
Exit codes:
  0  all pods can be explained
  1  errors were found
  2  wrong usage or settings
  3  an input could not be read or parsed
  4  a fault of percard itself
"""


@click.command("explain", help=_HELP, short_help="Say what each container gets on each card.")
@click.argument("paths", nargs=-1, required=True, type=click.Path(), metavar="PATH...")
@click.option("-o", "--output", "spelling", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to print it.")
@common_options
@click.pass_context
def _explain(ctx: click.Context, paths: tuple[str, ...], spelling: Literal["text", "json"], config: Path | None) -> int:
    session = session_of(ctx)
    teller = Teller(session)
    engine = load_engine(config)
    pods: list[dict[str, Any]] = []
    sources = list(sources_of(paths))
    for item in teller.readable(read_inputs(sources, engine.mentions_marks)):
        explained = explain(engine, item)
        teller.findings(item, explained.findings)
        pods += explained.pods
    if sources and not pods and session.code == Exit.CLEAN:
        tell_nothing_shared(engine)
    write(as_json(pods) if spelling == "json" else as_text(pods))
    return session.code


COMMAND = _explain
