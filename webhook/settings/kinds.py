"""The kinds of value that a setting can take: how each is written, read and shown."""

import re
from pathlib import Path
from typing import Any

from webhook.core.finding import quoted, shown
from webhook.core.quantity import parse_quantity

# Longer ones are no number that a setting could be: they stay text, which every kind of number refuses.
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,99})", re.ASCII)
_WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}


class UnusableValueError(ValueError):
    """A value is not of its setting's kind; the text says what must be written instead."""


def plain_scalar(text: str) -> Any:
    """Return what an unquoted scalar stands for: null, true, false, a decimal integer, else its text.

    This is YAML 1.2's core schema without floats and other bases, so that `off` stays a word.
    """
    return parse_quantity(text) if _INTEGER.fullmatch(text) else _WORDS.get(text, text)


class Kind:
    """Base of all kinds; `wanted` completes the sentence "must be …"."""

    def __init__(self, wanted: str) -> None:
        """Say what is wanted."""
        self.wanted = wanted

    def read(self, written: Any) -> Any:
        """Return the value in the program's units; raise `UnusableValueError` with what to write."""
        raise NotImplementedError

    def from_text(self, text: str) -> Any:
        """Return what the text of an environment variable would be in a file."""
        return text

    def show(self, value: Any) -> Any:
        """Return the value as it would be written in a file."""
        return value

    def refusal(self, written: Any, hint: str = "") -> UnusableValueError:
        """Return the error for a value that is not of this kind."""
        name = shown(written) if isinstance(written, dict | list) else quoted(written)
        return UnusableValueError(f"must be {self.wanted}, not {name}{hint}")


class Flag(Kind):
    """Yes or no."""

    def __init__(self) -> None:
        """Want one of YAML's two booleans."""
        super().__init__("true or false")

    def read(self, written: Any) -> bool:
        """Accept the booleans alone: `yes` and `on` are words."""
        if not isinstance(written, bool):
            raise self.refusal(written)
        return written

    def from_text(self, text: str) -> Any:
        """Read the words `true` and `false`."""
        return plain_scalar(text) if text else text


class Whole(Kind):
    """A whole number in a range, both ends included."""

    def __init__(self, least: int, most: int) -> None:
        """Want a number of the range."""
        super().__init__(f"a whole number from {least} to {most}")
        self.least, self.most = least, most

    def read(self, written: Any) -> int:
        """Accept an integer of the range; text is none, however it looks."""
        if isinstance(written, bool) or not isinstance(written, int) or not self.least <= written <= self.most:
            raise self.refusal(written)
        return written

    def from_text(self, text: str) -> Any:
        """Read decimal digits."""
        return plain_scalar(text) if text else text


class Choice(Kind):
    """One of a few words."""

    def __init__(self, *options: str) -> None:
        """Want one of the words."""
        super().__init__(f"{', '.join(options[:-1])} or {options[-1]}")
        self.options = options

    def read(self, written: Any) -> str:
        """Accept one of the words as it stands."""
        if not isinstance(written, str) or written not in self.options:
            raise self.refusal(written)
        return written


class Text(Kind):
    """Text of at most 253 characters (the limit of Kubernetes' names) that a pattern matches in full."""

    def __init__(self, pattern: str, wanted: str) -> None:
        """Want text of the pattern."""
        super().__init__(wanted)
        self._pattern = re.compile(rf"(?=.{{1,253}}\Z)(?:{pattern})", re.ASCII)

    def read(self, written: Any) -> str:
        """Accept text of the pattern."""
        if not isinstance(written, str) or self._pattern.fullmatch(written) is None:
            raise self.refusal(written)
        return written


class Texts(Kind):
    """A list of texts; in an environment variable separated by commas."""

    def __init__(self, item: Text) -> None:
        """Want a list of such texts."""
        super().__init__(f"a list, each item {item.wanted}")
        self._item = item

    def read(self, written: Any) -> tuple[str, ...]:
        """Accept a list all of whose items are of the item's kind."""
        if not isinstance(written, list | tuple):
            raise self.refusal(written)
        return tuple(map(self._item.read, written))

    def from_text(self, text: str) -> Any:
        """Split at commas; nothing at all is the empty list."""
        return [part.strip() for part in text.split(",")] if text.strip() else []

    def show(self, value: Any) -> Any:
        """Return a list."""
        return list(value)


class File(Kind):
    """The path of a file; relative ones start at the working directory."""

    def __init__(self) -> None:
        """Want a path."""
        super().__init__("the path of a file")

    def read(self, written: Any) -> Path:
        """Accept text that can be a path."""
        if not isinstance(written, str | Path) or not str(written) or "\0" in str(written):
            raise self.refusal(written)
        return Path(written)

    def show(self, value: Any) -> Any:
        """Return the path as text."""
        return str(value)


class Refused(Kind):
    """A setting that may not be written at all; `reason` says what to do instead."""

    def __init__(self, reason: str) -> None:
        """Want nothing."""
        super().__init__("left out")
        self._reason = reason

    def read(self, written: Any) -> Any:
        """Refuse whatever is written."""
        raise self.refusal(written, f"; {self._reason}")
