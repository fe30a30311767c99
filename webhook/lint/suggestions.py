"""What the hint of a finding says to write, as far as that is one certain value."""

import re

from webhook.core.finding import Finding
from webhook.core.quantity import UnparsableError, parse_quantity

_QUOTED = re.compile(r"""(["'])([^"']+)\1(?P<bound>(?: \([^)]*\))? or (?:more|less))?""")
_ENTRY = re.compile(r"""\b(?:write|add) (\S+): (["'])([^"']+)\2(?! or more)""")
# What follows is an example.
_EXAMPLE = "such as"
# What stands in a list for a number that nobody knows.
_UNKNOWN = "N"


def values(finding: Finding, *, bounds: bool) -> list[str]:
    """Return what may stand in the place of a finding, the best first: the nearest larger number, then smaller ones.

    With `bounds` also what is only the least or the most that may be written.
    """
    named = finding.hint.partition(_EXAMPLE)[0]
    found = [match[2] for match in _QUOTED.finditer(named) if bounds or match["bound"] is None]
    return sorted((value for value in found if _UNKNOWN not in value.split(",")), key=lambda value: _distance(value, finding.value))


def entry(finding: Finding) -> str | None:
    """Return the value that is missing where a finding is, None where none is named."""
    found = _ENTRY.search(finding.hint)
    return found[3] if found and found[1] == finding.path.parts[-1] else None


def _distance(value: str, written: str | None) -> tuple[int, object]:
    """Return what sorts larger numbers first, the nearest first, then smaller ones; text keeps its order."""
    try:
        difference = parse_quantity(value) - parse_quantity(written)
    except UnparsableError:
        return (2, 0)
    return (0, difference) if difference >= 0 else (1, -difference)
