"""`percard fix`: repairs manifests in place."""

import difflib
from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict, Unpack

import click

from webhook.cli.exits import Exit, UnwritableOutputError
from webhook.cli.session import Session, common_options, load_engine, session_of, sources_of, tell, write
from webhook.lint.files import NotTextError, TextFile, replace_file
from webhook.lint.fix import SAFE, UNSAFE, Fixer
from webhook.lint.inputs import read_bytes
from webhook.lint.report import Report
from webhook.lint.run import Checker
from webhook.lint.sources import STDIN, Missing

_HELP = f"""Repair the manifests at PATH... in place, with the smallest edits: nothing else of a file changes.

A finding is repaired where its hint says what to write: the nearest valid value up, the missing policy
annotation, the right list or count. Each edit is examined before it is kept. Standard input (-) is
printed repaired.

\b
Repaired by default:   {", ".join(sorted(SAFE))}
Only with --unsafe:    {", ".join(sorted(UNSAFE))}

\b
Examples:
  percard fix --diff manifests/
  percard fix manifests/ && git diff

\b
Exit codes:
  0  nothing is left to repair by hand
  1  errors are left, see `percard check`
  2  wrong usage or settings, or a file that cannot be written
  3  an input could not be read or parsed
  4  a fault of percard itself
"""


class _Options(TypedDict):
    paths: tuple[str, ...]
    exclude: tuple[str, ...]
    diff: bool
    unsafe: bool
    config: Path | None


@click.command("fix", help=_HELP, short_help="Repair manifests in place.")
@click.argument("paths", nargs=-1, required=True, type=click.Path(), metavar="PATH...")
@click.option("--diff", is_flag=True, help="Print a unified diff instead of writing.")
@click.option("--unsafe", is_flag=True, help="Repair also what its author may have chosen on purpose.")
@click.option("--exclude", multiple=True, metavar="GLOB", help="Leave out below folders, in the syntax of .gitignore; may be repeated.")
@common_options
@click.pass_context
def _fix(ctx: click.Context, /, **options: Unpack[_Options]) -> int:
    engine = load_engine(options["config"])
    repair = _Repair(session_of(ctx), Fixer(engine, unsafe=options["unsafe"]), Checker(engine), only_diff=options["diff"])
    for source in sources_of(options["paths"], options["exclude"]):
        repair.file(source)
    repair.end()
    return session_of(ctx).code


class _Repair:
    """Repairs file after file, and keeps the exit code."""

    def __init__(self, session: Session, fixer: Fixer, checker: Checker, *, only_diff: bool) -> None:
        self._session, self._fixer, self._checker, self._only_diff = session, fixer, checker, only_diff
        self._files = 0
        self._is_silent = True
        self._noted: set[str] = set()

    def file(self, source: str | Missing) -> None:
        """Repair one file; what cannot be read is told."""
        if isinstance(source, Missing):
            self._tell(source.name, source.reason)
            return
        try:
            data = read_bytes(source)
            original = TextFile.parsed(data)
        except (OSError, NotTextError) as error:
            self._tell(source, str(getattr(error, "strerror", None) or error))
            return
        self._files += 1
        text = original.text if self._checker.left_to_others(source) else self._fixer.fixed(original.text)
        self._is_silent &= text == original.text
        if self._only_diff:
            write("".join(_diff(source, original.text, text)))
        elif source == STDIN:
            write(original.with_text(text))
        elif text != original.text:
            _replace(Path(source), original.with_text(text))
            self._say(f"repaired {source}")
        self._count(source, original.with_text(text))

    def _count(self, name: str, data: bytes) -> None:
        report = self._checker.check_bytes(name, data)
        for note in report.notes.keys() - self._noted:
            self._noted.add(note)
            self._say(note)
        for broken in report.unreadable:
            self._tell(broken.file, broken.message)
        if report.errors:
            self._session.code = max(self._session.code, Exit.FINDINGS)
            self._say(f"{name}: {_left(report)}")

    def end(self) -> None:
        """Tell that there was nothing to do, where nothing else was told."""
        if self._files and self._is_silent:
            self._say("nothing to repair")

    def _tell(self, name: str, reason: str) -> None:
        self._say(f"{name}: {reason}")
        self._session.code = Exit.UNREADABLE

    def _say(self, text: str) -> None:
        self._is_silent = False
        tell(f"percard: {text}")


def _left(report: Report) -> str:
    """Return how much is left of a file after its repair, and what to do about it."""
    errors = [located.finding.check for located in report.findings if located.finding.severity == "error"]
    unsafe = sum(check in UNSAFE for check in errors)
    by_force = f" (--unsafe may repair {unsafe})" if unsafe else ""
    return f"{len(errors)} error{'' if len(errors) == 1 else 's'} left, see `percard check`{by_force}"


def _replace(path: Path, data: bytes) -> None:
    try:
        replace_file(path, data)
    except OSError as error:
        message = f"cannot write {path}: {error.strerror}"
        raise UnwritableOutputError(message) from None


def _diff(name: str, before: str, after: str) -> Iterator[str]:
    shown = name.removeprefix("/")
    for line in difflib.unified_diff(_lines(before), _lines(after), f"a/{shown}", f"b/{shown}"):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines(text: str) -> list[str]:
    """Return lines with their ends; only a line feed ends one, as for every tool that reads a diff."""
    *whole, last = text.split("\n")
    return [f"{line}\n" for line in whole] + ([last] if last else [])


COMMAND = _fix
