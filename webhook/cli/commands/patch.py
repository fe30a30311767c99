"""`percard patch`: prints manifests with the patch applied."""

from pathlib import Path

import click

from webhook.cli.exits import Exit
from webhook.cli.inputs import Teller
from webhook.cli.session import common_options, load_engine, session_of, sources_of, tell_nothing_shared, write
from webhook.lint.apply import Spelling, patch, spelt
from webhook.lint.inputs import read_inputs

_HELP = """Print the manifests at PATH... with the patch applied: scheduler name and limits of each card.

For files, pod templates are patched too, which the webhook never does. Every document is printed,
those without GPU shares as they are; one with errors is printed unpatched and named on stderr.
Comments and formatting of YAML are not kept.

With -o json, several documents become one List. With -o jsonpatch, each document becomes one line
that holds its JSON Patch (RFC 6902), [] where nothing is to be done.

\b
Examples:
  percard patch pod.yaml | kubectl apply -f -
  kustomize build . | percard patch - > rendered.yaml

\b
Exit codes:
  0  all is patched that has to be
  1  errors were found
  2  wrong usage or settings
  3  an input could not be read or parsed
  4  a fault of percard itself
"""


@click.command("patch", help=_HELP, short_help="Print manifests with scheduler and limits written in.")
@click.argument("paths", nargs=-1, required=True, type=click.Path(), metavar="PATH...")
@click.option(
    "-o", "--output", "spelling", type=click.Choice(["yaml", "json", "jsonpatch"]), default="yaml", show_default=True, help="What to print."
)
@common_options
@click.pass_context
def _patch(ctx: click.Context, paths: tuple[str, ...], spelling: Spelling, config: Path | None) -> int:
    session = session_of(ctx)
    teller = Teller(session)
    engine = load_engine(config)
    documents = []
    for item in teller.readable(read_inputs(sources_of(paths))):
        patched = patch(engine, item)
        teller.findings(item, patched.findings)
        documents.append(patched)
    if documents and session.code == Exit.CLEAN and not any(document.pods or document.findings for document in documents):
        tell_nothing_shared(engine)
    write(spelt(documents, spelling))
    return session.code


COMMAND = _patch
