"""Kinds of value that carry a unit: spans of time and numbers of bytes."""

import re
from typing import Any

from webhook.core.quantity import parse_quantity
from webhook.settings.kinds import Kind

_DURATION = re.compile(r"(?:[0-9]{1,99}(?:ms|s|m|h))+", re.ASCII)
_DURATION_PART = re.compile(r"([0-9]+)(ms|s|m|h)", re.ASCII)
_MILLISECONDS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000}
_SIZE = re.compile(r"[1-9][0-9]{0,98}(?:Ki|Mi|Gi)", re.ASCII)
# A number longer than that was meant in no unit.
_MOST_DIGITS = 18
_BYTES = {"Gi": 1 << 30, "Mi": 1 << 20, "Ki": 1 << 10}


class Duration(Kind):
    """A span of time; the value is in seconds. The range is written as values are."""

    def __init__(self, least: str, most: str) -> None:
        """Want a duration of the range."""
        super().__init__(f"a duration with its unit (ms, s, m, h) from '{least}' to '{most}'")
        self._least, self._most = _milliseconds(least), _milliseconds(most)

    def read(self, written: Any) -> float:
        """Accept `90s`, `1m30s`, `500ms`; a bare number says no unit and is refused."""
        if not isinstance(written, str) or _DURATION.fullmatch(written) is None:
            raise self.refusal(written, _with_unit(written, "s"))
        if not self._least <= _milliseconds(written) <= self._most:
            raise self.refusal(written)
        return _milliseconds(written) / 1000

    def show(self, value: Any) -> Any:
        """Return whole seconds where the value is whole, else milliseconds."""
        milliseconds = round(value * 1000)
        return f"{milliseconds}ms" if milliseconds % 1000 else f"{milliseconds // 1000}s"


class Size(Kind):
    """A number of bytes; the value is in bytes. The range is written as values are."""

    def __init__(self, least: str, most: str) -> None:
        """Want a size of the range."""
        super().__init__(f"a size with its unit (Ki, Mi, Gi bytes) from '{least}' to '{most}'")
        self._least, self._most = parse_quantity(least), parse_quantity(most)

    def read(self, written: Any) -> int:
        """Accept `7Mi`; a bare number says no unit and is refused."""
        if not isinstance(written, str) or _SIZE.fullmatch(written) is None:
            raise self.refusal(written, _with_unit(written, "Mi"))
        if not self._least <= parse_quantity(written) <= self._most:
            raise self.refusal(written)
        return int(parse_quantity(written))

    def show(self, value: Any) -> Any:
        """Return the size in the largest unit that leaves it whole."""
        unit = next((unit for unit, size in _BYTES.items() if value % size == 0), None)
        return f"{value // _BYTES[unit]}{unit}" if unit else value


def _milliseconds(text: str) -> int:
    return sum(int(parse_quantity(number)) * _MILLISECONDS[unit] for number, unit in _DURATION_PART.findall(text))


def _with_unit(written: Any, unit: str) -> str:
    text = str(written)
    return f"; write '{text}{unit}'" if text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS else ""
