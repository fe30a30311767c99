"""`percard convert`: translates manifests between dialects."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, TypedDict, Unpack

import click

from webhook.cli.exits import Exit
from webhook.cli.inputs import Teller
from webhook.cli.session import Session, common_options, load_translator, session_of, sources_of, tell, tell_nothing_shared, write
from webhook.cli.tables import aligned, known_as, must_be
from webhook.core.conversion import Converter
from webhook.core.engine import Engine
from webhook.core.fieldpath import printable
from webhook.core.plugin import Dialect
from webhook.core.walk import stage_of
from webhook.lint.converted import Files
from webhook.lint.inputs import read_inputs
from webhook.lint.possibilities import Possibility, possibilities
from webhook.lint.report import Unreadable

_HELP = """Translate the manifests at PATH... into another dialect, and say what changes on the way.

What a target cannot say is told on stderr with its arithmetic: rounded (always up), assumed, lost,
impossible. A document of which something is lost or impossible is printed as it was, and the exit
code is 1; with --allow-loss what is lost is left out. YAML is edited in place, so that comments and
formatting stay where they can. `--to dra` prints a ResourceClaimTemplate before each manifest.

With --report nothing is translated: a table says for every pod and every dialect whether it could
run there, and what would change.

\b
Examples:
  percard convert --to hami deployment.yaml
  percard convert --to dra - < pod.yaml | kubectl apply -f -
  percard convert --report manifests/

\b
Exit codes:
  0  everything is carried over
  1  something cannot be carried over, or errors were found
  2  wrong usage or settings
  3  an input could not be read or parsed
  4  a fault of percard itself
"""
_HEADER = ("POD", "FROM", "TO", "RESULT", "WHAT CHANGES")


class _Options(TypedDict):
    paths: tuple[str, ...]
    target: str | None
    spelling: Literal["yaml", "json"]
    allow_loss: bool
    report: bool
    config: Path | None


@click.command("convert", help=_HELP, short_help="Translate manifests into the keys of another vendor.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--to", "target", metavar="DIALECT", help="The dialect to write; `percard dialects` lists all.")
@click.option("-o", "--output", "spelling", type=click.Choice(["yaml", "json"]), default="yaml", show_default=True, help="What to print.")
@click.option("--allow-loss", is_flag=True, help="Leave out what the target cannot say.")
@click.option("--report", is_flag=True, help="Say what every dialect would make of each pod.")
@common_options
@click.pass_context
def _convert(ctx: click.Context, /, **options: Unpack[_Options]) -> int:
    session = session_of(ctx)
    engine = load_translator(options["config"])
    if options["report"]:
        _report(session, engine, options)
        return session.code
    target = _target(engine, options["target"])
    files = Files(Converter(engine, target, allow_loss=options["allow_loss"]))
    if not _translate(session, files, options["paths"]):
        tell(f"percard: nothing to translate: no pod here asks for a share of GPUs in another dialect than {target.id}")
    for note in files.notes:
        tell(f"percard: {note}")
    write(files.as_yaml() if options["spelling"] == "yaml" else files.as_json())
    return session.code


def _translate(session: Session, files: Files, paths: Iterable[str]) -> bool:
    """Translate the files and tell what came of it; return whether there was anything to translate, or to say."""
    teller = Teller(session)
    sources = list(sources_of(paths))
    concerned = not sources
    for found in files.translate(sources):
        if isinstance(found, Unreadable):
            concerned = True
            teller.unreadable(found)
        else:
            item, converted = found
            concerned |= converted.data is not item.document.data or bool(converted.findings)
            teller.findings(item, converted.findings)
            teller.translation(item, converted)
    return concerned or session.code != Exit.CLEAN


def _target(engine: Engine, name: str | None) -> Dialect:
    known = engine.targets
    wanted = known_as(name or "", known)
    if wanted is not None:
        return known[wanted]
    message = "give the dialect to write with --to" if name is None else f"'{name}' cannot be written"
    message += f"; {must_be(name or '', known)}"
    raise click.UsageError(message)


def _report(session: Session, engine: Engine, options: _Options) -> None:
    if options["target"] is not None or options["allow_loss"]:
        message = "--report looks at every dialect; leave --to and --allow-loss out"
        raise click.UsageError(message)
    teller = Teller(session)
    rows: list[Possibility] = []
    sources = list(sources_of(options["paths"]))
    for item in teller.readable(read_inputs(sources)):
        teller.findings(item, engine.examine(item.document.data, stage=stage_of(item.document.data)).findings)
        rows += possibilities(engine, item)
    if sources and not rows and session.code == Exit.CLEAN:
        tell_nothing_shared(engine)
    write(_as_json(rows) if options["spelling"] == "json" else aligned([_HEADER, *map(_row, rows)]))


def _row(found: Possibility) -> tuple[str, ...]:
    changes = "; ".join(f"{remark.text}" for remark in found.remarks)
    return printable(found.pod), found.source, found.target, found.outcome, printable(changes)


def _as_json(rows: Iterable[Possibility]) -> str:
    pods = [{**row._asdict(), "remarks": [remark._asdict() for remark in row.remarks]} for row in rows]
    return json.dumps({"version": 1, "pods": pods}, ensure_ascii=False, indent=2) + "\n"


COMMAND = _convert
