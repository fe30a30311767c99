"""The command line: options and exit codes around the other packages, no logic of its own."""

from webhook.cli.program import main

__all__ = ["main"]
