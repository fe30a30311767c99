"""Runs `python -m webhook.cli`."""

from webhook.cli.program import main

main()
