"""What all commands share: options, settings, engine, version and output."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from webhook.cli.exits import Exit, UnwritableOutputError
from webhook.cli.streams import write_whole
from webhook.core.engine import Engine
from webhook.core.fieldpath import printable
from webhook.core.finding import quoted
from webhook.lint.sources import SUFFIXES, Missing, find_sources
from webhook.settings.loading import Sources, load
from webhook.wiring import build_engine, build_translator

_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(slots=True)
class Session:
    """One run of the program: `code` is the exit code if the reader of stdout goes away."""

    debug: bool = False
    code: int = Exit.CLEAN


def common_options(function: _Function) -> _Function:
    """Add the options that every command takes; the function gets `config`."""
    config = click.option(
        "--config", type=click.Path(path_type=Path), metavar="FILE", help="Settings file (default: $PERCARD_CONFIG, else none)."
    )
    debug = click.option(
        "--debug", is_flag=True, expose_value=False, is_eager=True, callback=_set_debug, help="Show the trace of a fault of percard."
    )
    return config(debug(function))


def _set_debug(ctx: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click's signature
    session_of(ctx).debug = value


def session_of(ctx: click.Context) -> Session:
    """Return the session of a command's context."""
    return ctx.ensure_object(Session)


def load_engine(config: Path | None) -> Engine:
    """Return the engine with the settings in force; raises `SettingsError`."""
    loaded = load(Sources(config))
    return build_engine(loaded.settings if loaded.origins else None)


def load_translator(config: Path | None) -> Engine:
    """Return an engine that knows every dialect, with the settings in force; raises `SettingsError`."""
    return build_translator(load(Sources(config)).settings)


def version() -> str:
    """Return the version of the installed distribution."""
    from importlib import metadata

    try:
        return metadata.version("percard")
    except metadata.PackageNotFoundError:
        return "0+unknown"


def sources_of(paths: Iterable[str], exclude: Iterable[str] = ()) -> Iterator[str | Missing]:
    """Yield the files that `paths` stand for; where there are none, that is told on stderr."""
    found = find_sources(paths, exclude)
    first = next(found, None)
    if first is not None:
        yield first
        yield from found
    else:
        named = " ".join(map(quoted, paths))
        left_out = "hidden ones and what .gitignore or --exclude name do not count"
        tell(f"percard: there is nothing to read: no {', '.join(SUFFIXES)} file at {named} ({left_out})")


def tell(line: str) -> None:
    """Tell on stderr what is no result; the names of files in it cannot steer a terminal."""
    click.echo(printable(line), err=True)


def tell_nothing_shared(engine: Engine) -> None:
    """Tell on stderr that nothing was judged, and what would have been."""
    judged = ", ".join(sorted(dialect.id for dialect in engine.dialects))
    tell(f"percard: no pod here asks for a share of GPUs in a dialect that is judged ({judged}); `percard dialects` explains them")


def tell_left_out(found: Mapping[str, int]) -> None:
    """Tell on stderr of what nobody judged because its dialect is off: in how many files."""
    for dialect, count in sorted(found.items()):
        files = "1 file mentions" if count == 1 else f"{count} files mention"
        wanted = f"set dialects.{dialect}.enabled to true, or PERCARD_DIALECTS__{dialect.upper()}__ENABLED=true"
        tell(f"percard: {files} keys of {dialect}, which is off and not judged; {wanted}")


def write(text: str | bytes, file: str | None = None) -> None:
    """Write a result to a file or, without one, to stdout.

    Raises `UnwritableOutputError`, and `BrokenPipeError` where the reader went away.
    """
    data = text.encode("utf-8", "backslashreplace") if isinstance(text, str) else text
    if file is None and sys.stdout is None:
        message = "cannot write the output: standard output is closed"
        raise UnwritableOutputError(message)
    try:
        if file is None:
            sys.stdout.flush()
            write_whole(sys.stdout.buffer, data)
        else:
            from webhook.lint.files import write_file

            Path(file).parent.mkdir(parents=True, exist_ok=True)
            write_file(Path(file), data)
    except BrokenPipeError:
        raise
    except OSError as error:
        message = f"cannot write {file or 'the output'}: {error.strerror}"
        raise UnwritableOutputError(message) from None
