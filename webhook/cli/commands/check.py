"""`percard check`: judges manifests."""

import gc
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from webhook.cli.exits import Exit
from webhook.cli.session import (
    common_options,
    load_engine,
    session_of,
    sources_of,
    tell,
    tell_left_out,
    tell_nothing_shared,
    version,
    write,
)
from webhook.core.engine import Engine
from webhook.lint.locating import Mend
from webhook.lint.output import Context, Format, format_named, format_names
from webhook.lint.report import Report
from webhook.lint.run import Checker
from webhook.lint.sources import Missing

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Output = tuple[str, str | None]

_HELP = """Judge the manifests at PATH...: files, folders (every .yaml, .yml and .json below), or - for stdin.

Below a folder, hidden files and what .gitignore names are left out. A file that mentions no key of
GPU sharing is not even parsed. Results go to stdout (or FILE), everything else to stderr.

\b
Examples:
  percard check manifests/
  helm template charts/app | percard check -
  kubectl get deploy -A -o yaml | percard check -
  percard check -o github -o sarif=percard.sarif --exclude 'vendor/' .

\b
Exit codes:
  0  clean; warnings alone are clean unless --strict
  1  findings
  2  wrong usage or settings
  3  an input could not be read or parsed
  4  a fault of percard itself
"""
_PROGRESS_EVERY = 500
_OBJECTS_BETWEEN_COLLECTIONS = 50_000


class _OutputType(click.ParamType[Output]):
    """`FORMAT` or `FORMAT=FILE`."""

    name = "format"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> Output:
        """Return the format's name and the file, None for stdout."""
        name, _, file = value.partition("=")
        if name not in format_names():
            self.fail(f"'{name}' must be one of {', '.join(format_names())}", param, ctx)
        return name, None if file in ("", "-") else file

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":  # noqa: ARG002 - click's
        """Return the formats that begin so."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in format_names() if name.startswith(incomplete)]


class _Options(TypedDict):
    paths: tuple[str, ...]
    outputs: tuple[Output, ...]
    exclude: tuple[str, ...]
    strict: bool
    jobs: int
    baseline: Path | None
    config: Path | None


@click.command("check", help=_HELP, short_help="Judge manifests: files, folders, or what is piped in.")
@click.argument("paths", nargs=-1, required=True, type=click.Path(), metavar="PATH...")
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    type=_OutputType(),
    metavar="FORMAT[=FILE]",
    help=f"How and where to report, one of {', '.join(format_names())}; may be repeated [default: text].",
)
@click.option("--exclude", multiple=True, metavar="GLOB", help="Leave out below folders, in the syntax of .gitignore; may be repeated.")
@click.option("--strict", is_flag=True, help="Let warnings count as findings.")
@click.option("-j", "--jobs", type=click.IntRange(min=1), default=1, metavar="N", help="Use N processes [default: 1].")
@click.option(
    "--baseline", type=click.Path(path_type=Path), metavar="FILE", help="Leave out the findings that `percard baseline` wrote to FILE."
)
@common_options
@click.pass_context
def _check(ctx: click.Context, /, **options: Unpack[_Options]) -> int:
    outputs = options["outputs"] or (("text", None),)
    if sum(file is None for _, file in outputs) > 1:
        message = "only one output can go to stdout; give the others a file: -o FORMAT=FILE"
        raise click.UsageError(message)
    formats = [(format_named(name), file) for name, file in outputs]
    engine = load_engine(options["config"])
    known = _known(options["baseline"])
    # What is loaded stays, and reports only grow: looking for garbage as often as Python does by itself costs a tenth.
    gc.freeze()
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    checker = Checker(engine, mend=_mend(engine) if any(found.shows_repairs for found, _ in formats) else None)
    report = _report(checker, sources_of(options["paths"], options["exclude"]), options["jobs"])
    if known:
        from webhook.lint.baseline import accept_known

        accept_known(report, known)
    code = _exit_code(report, strict=options["strict"])
    session_of(ctx).code = code
    for note in report.notes:
        tell(f"percard: {note}")
    tell_left_out(report.left_out)
    if report.files and not (report.pods or report.findings or report.suppressed or report.unreadable or report.notes or report.left_out):
        tell_nothing_shared(engine)
    for found, file in formats:
        write(found.render(report, Context(version=version, checks=engine.checks, color=_wants_color(found, file))), file)
    return code


def _mend(engine: Engine) -> Mend:
    from webhook.lint.fix import Fixer

    return Fixer(engine).repair


def _report(checker: Checker, sources: Iterable[str | Missing], jobs: int) -> Report:
    if jobs == 1:
        return checker.check(sources, _progress())
    from webhook.lint.parallel import check_all

    return check_all(checker, sources, jobs, _progress())


def _known(baseline: Path | None) -> frozenset[str]:
    if baseline is None:
        return frozenset()
    from webhook.lint.baseline import BaselineError, read_baseline

    try:
        return read_baseline(baseline)
    except BaselineError as error:
        raise click.UsageError(str(error)) from None


def _exit_code(report: Report, *, strict: bool) -> Exit:
    if report.unreadable:
        return Exit.UNREADABLE
    return Exit.FINDINGS if report.errors or (strict and report.warnings) else Exit.CLEAN


def _wants_color(found: Format, file: str | None) -> bool:
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return found.name == "text" and file is None and sys.stdout is not None and sys.stdout.isatty() and not plain


def _progress() -> Callable[[int], None]:
    """Return what tells on a terminal how far a long run is, on one line that is wiped again."""
    if not sys.stderr.isatty():
        return lambda _: None

    told = 0

    def tell(files: int) -> None:
        nonlocal told
        if files - told >= _PROGRESS_EVERY:
            told = files
            click.echo(f"\r\x1b[Kpercard: {files} files\r", nl=False, err=True)

    return tell


COMMAND = _check
