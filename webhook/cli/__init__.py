"""The command line: options and exit codes around the other packages, no logic of its own."""

import sys
from typing import NoReturn

_INTERRUPTED = 130


def main() -> NoReturn:
    """Run the program; a Ctrl-C is met quietly from the first import on."""
    try:
        from webhook.cli.program import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = _INTERRUPTED
    sys.exit(code)
