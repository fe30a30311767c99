"""Readable lines on a terminal: steps, indented text, colours where they are welcome."""

import os
import sys
import textwrap

INDENT = " " * 5
_WIDTH = 110
BOLD, RED, GREEN, CYAN = "1", "31", "32", "1;36"


def step(number: int, title: str) -> None:
    """Begin a step."""
    print(f"\n{styled(f'{number}. {title}', CYAN)}")


def tell(*lines: str, style: str = "") -> None:
    """Print lines, indented; what is too long is broken and keeps its indentation."""
    for line in lines:
        indent = INDENT + " " * (len(line) - len(line.lstrip()))
        for part in textwrap.wrap(line.lstrip(), _WIDTH - len(indent), break_long_words=False, break_on_hyphens=False):
            print(indent + styled(part, style))


def quote(text: str) -> None:
    """Print what a program printed, indented and otherwise as it is."""
    print(textwrap.indent(text.rstrip(), INDENT))


def styled(text: str, style: str) -> str:
    """Return text in an ANSI style; plain where stdout is no terminal or NO_COLOR is set."""
    colored = style and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return f"\x1b[{style}m{text}\x1b[0m" if colored else text
