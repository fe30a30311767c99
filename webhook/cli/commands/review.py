"""`percard review`: answers an AdmissionReview from a file."""

from pathlib import Path

import click

from webhook.admission.errors import BadReviewError
from webhook.admission.handler import Handler
from webhook.admission.scope import ENDPOINTS, Endpoint
from webhook.cli.exits import Exit, UnreadableInputError
from webhook.cli.session import common_options, load_engine, session_of, version, write
from webhook.lint.inputs import read_bytes

_HELP = """Answer the AdmissionReview in PATH (- for stdin) as the server would, byte for byte.

For support and replay: a review that the API server sent can be answered again with other settings
or another version of percard.

\b
Examples:
  percard review review.json
  percard review --endpoint mutate review.json | jq -r .response.patch | base64 -d

\b
Exit codes:
  0  allowed
  1  denied
  2  wrong usage or settings
  3  the input could not be read, or is no AdmissionReview
  4  a fault of percard itself
"""


@click.command("review", help=_HELP, short_help="Answer a recorded AdmissionReview as the server would.")
@click.argument("path", type=click.Path(), metavar="PATH")
@click.option("--endpoint", type=click.Choice(ENDPOINTS), default="validate", show_default=True, help="Which endpoint answers.")
@common_options
@click.pass_context
def _review(ctx: click.Context, path: str, endpoint: Endpoint, config: Path | None) -> int:
    handler = Handler(load_engine(config), version())
    try:
        answer = handler.respond(endpoint, read_bytes(path))
    except OSError as error:
        message = f"{path}: {error.strerror}"
        raise UnreadableInputError(message) from None
    except BadReviewError as error:
        message = f"{path}: {error} (a manifest is what `percard check` judges)"
        raise UnreadableInputError(message) from None
    session_of(ctx).code = Exit.FINDINGS if answer.outcome == "denied" else Exit.CLEAN
    write(answer.body)
    return session_of(ctx).code


COMMAND = _review
