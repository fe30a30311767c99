"""The exit codes, and the one place that says which error ends in which."""

import errno
import sys
from enum import IntEnum

import click

from webhook.core.fieldpath import printable
from webhook.settings.problems import SettingsError

# Reading never ends so, and click writes its help without a word about it.
_DISK_IS_FULL = {errno.ENOSPC, errno.EFBIG, errno.EDQUOT}
_REPORT = "This is a fault of percard. Please report it with this message and, if you may, the input; --debug shows the trace."


class Exit(IntEnum):
    """What the exit code says; of several that apply the highest is used."""

    CLEAN = 0
    FINDINGS = 1
    USAGE = 2
    UNREADABLE = 3
    FAULT = 4
    INTERRUPTED = 130


class UnreadableInputError(Exception):
    """An input that a command cannot go on without; the text says which and why."""


class UnwritableOutputError(Exception):
    """An output that cannot be written; the text says which and why."""


class ReaderGoneError(Exception):
    """Nobody reads what is written any more."""


class CannotServeError(Exception):
    """The server cannot start as it was asked to; the text says why."""


def explain_exit(error: BaseException, *, debug: bool) -> int:
    """Tell on stderr what ended the program, and return its exit code."""
    if debug and not isinstance(error, click.ClickException):
        import traceback

        traceback.print_exception(error)
    match error:
        case click.ClickException():
            error.show()
            return Exit.USAGE
        case KeyboardInterrupt() | click.Abort():
            return Exit.INTERRUPTED
        case SettingsError() | UnwritableOutputError() | CannotServeError():
            return _told(error, Exit.USAGE)
        case UnreadableInputError():
            return _told(error, Exit.UNREADABLE)
    full = error.strerror if isinstance(error, OSError) and error.errno in _DISK_IS_FULL else None
    return _told(f"cannot write the output: {full}", Exit.USAGE) if full else _told(_Fault(error), Exit.FAULT)


class _Fault:
    """An unexpected error as one line and how to report it."""

    def __init__(self, error: BaseException) -> None:
        self._error = error

    def __str__(self) -> str:
        cause = self._error.__cause__
        of = f"{type(cause).__name__}: {cause} " if cause else ""
        return f"{type(self._error).__name__}: {self._error} {f'({of.strip()})' if of else ''}\n{_REPORT}"


def _told(error: object, code: Exit) -> Exit:
    for line in str(error).splitlines():
        print(f"percard: {printable(line.rstrip())}", file=sys.stderr)  # noqa: T201 - a program's last words
    return code
