"""`percard serve`: answers the API server over TLS."""

from pathlib import Path
from typing import TypedDict, Unpack

import click

from certs.source import FileSource, SelfSignedSource
from webhook.cli.exits import CannotServeError
from webhook.cli.session import common_options, version
from webhook.server.listener import CannotListenError
from webhook.server.run import serve
from webhook.server.tls import CertificateSource
from webhook.settings.loading import Sources, load
from webhook.settings.values import ServeSettings

_HELP = """Answer AdmissionReviews over TLS, in the foreground, until SIGTERM or Ctrl-C.

The TLS port serves /mutate, /validate, /validate/warn and /validate/audit for the API server, and
/v1 and /docs for people; the ops port serves /livez, /readyz and /metrics over plain HTTP. On SIGTERM
what is in flight is finished. Certificate files and the settings file are read again when they change. The log goes
to stderr, as text on a terminal, else as JSON (setting log.format).

\b
Examples:
  percard serve --self-signed
  percard serve --host 0.0.0.0 --cert /certs/tls.crt --key /certs/tls.key

\b
Exit codes:
  0    stopped by SIGTERM
  2    wrong usage or settings, or a port that cannot be bound
  4    a fault of percard itself
  130  interrupted
"""


class _Options(TypedDict):
    host: str | None
    port: int | None
    ops_port: int | None
    cert: Path | None
    key: Path | None
    self_signed: bool | None
    config: Path | None


@click.command("serve", help=_HELP, short_help="Answer the API server, over TLS, until it is stopped.")
@click.option("--host", metavar="H", help="Address of both ports [default: 127.0.0.1].")
@click.option("--port", type=int, metavar="P", help="TLS port, 0 for any free one [default: 8443].")
@click.option("--ops-port", type=int, metavar="P", help="Port of health and metrics, 0 for any free one [default: 8080].")
@click.option("--cert", type=click.Path(path_type=Path), metavar="FILE", help="Certificate chain (PEM).")
@click.option("--key", type=click.Path(path_type=Path), metavar="FILE", help="Private key (PEM).")
@click.option("--self-signed", is_flag=True, default=None, help="Make a certificate at start, and renew it.")
@common_options
def _serve(**options: Unpack[_Options]) -> int:
    flags = {
        "serve.host": options["host"],
        "serve.port": options["port"],
        "serve.ops_port": options["ops_port"],
        "serve.cert": _text(options["cert"]),
        "serve.key": _text(options["key"]),
        "serve.self_signed": options["self_signed"],
    }
    sources = Sources(options["config"], flags=flags)
    try:
        return serve(sources, _certificates(load(sources).settings.serve), version())
    except CannotListenError as error:
        raise CannotServeError(str(error)) from None


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)


def _certificates(settings: ServeSettings) -> CertificateSource:
    if settings.self_signed:
        return SelfSignedSource(settings.names)
    if settings.cert is None or settings.key is None:
        message = "a server needs --cert and --key, or --self-signed"
        raise click.UsageError(message)
    return FileSource(settings.cert, settings.key)


COMMAND = _serve
