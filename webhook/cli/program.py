"""The program `percard`: finds the command, runs it, ends with its exit code."""

import importlib
import pkgutil
import sys
from collections.abc import Sequence
from typing import Any

import click

from webhook.cli import commands
from webhook.cli.exits import Exit, ReaderGoneError, explain_exit
from webhook.cli.session import Session, version, write
from webhook.cli.streams import give_up_unwritable, told_to_stderr

_HELP = """Check, patch and serve Kubernetes manifests that share GPUs over several cards.

percard reads the spellings of Volcengine (VKE mGPU), Huawei (CCE xGPU) and Alibaba (ACK gpushare)
into one model, says what is wrong with a per-card split and what to write instead, and patches what
is right with the scheduler name and the limits that each card will get.

\b
Examples:
  percard check manifests/            judge every manifest below a folder
  helm template . | percard check -   judge what a chart renders
  percard explain pod.yaml            what each container gets on each card
  percard serve --self-signed         answer the API server's admission reviews

\b
Exit codes:
  0    clean; warnings alone are clean unless --strict
  1    findings (review: denied)
  2    wrong usage or settings
  3    an input could not be read or parsed
  4    a fault of percard itself
  130  interrupted
"""


class Commands(click.Group):
    """A group whose commands are the files of `commands/`, each imported when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of all commands."""
        return sorted(info.name for info in pkgutil.iter_modules(commands.__path__))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command; None where there is none of this name."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command = importlib.import_module(f"{commands.__name__}.{cmd_name}").COMMAND
        return command if isinstance(command, click.Command) else None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take `percard help check` for `percard check --help`, as other programs do."""
        return super().parse_args(ctx, [*args[1:], "--help"] if args[:1] == ["help"] else args)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; where there is none, name those that are spelt like it."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            raise click.exceptions.NoSuchCommand(error.command_name, possibilities=self.list_commands(ctx), ctx=ctx) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a reader that went away ends it in a way that click does not take for its own."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise ReaderGoneError from error


def _print_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click's signature
    if value:
        from webhook.cli.revision import revision_text

        write(f"percard {version()} ({revision_text()})\n")
        ctx.exit(Exit.CLEAN)


def _group() -> Commands:
    shown = click.Option(
        ["--version"], is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Print version and revision."
    )
    settings = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
    return Commands("percard", params=[shown], help=_HELP, context_settings=settings, no_args_is_help=True)


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code."""
    session = Session()
    with told_to_stderr():
        try:
            return _ended(arguments, session)
        finally:
            give_up_unwritable(sys.stdout)


def _ended(arguments: Sequence[str], session: Session) -> int:
    try:
        code = _group().main(list(arguments), prog_name="percard", standalone_mode=False, obj=session)
        if sys.stdout is not None:
            sys.stdout.flush()
    except SystemExit as end:
        # Only what completes words in a shell ends so.
        return int(end.code or Exit.CLEAN)
    except (ReaderGoneError, BrokenPipeError):
        return session.code
    except BaseException as error:  # noqa: BLE001 - the last place that can say what happened
        return explain_exit(error, debug=session.debug)
    return int(code or Exit.CLEAN)
