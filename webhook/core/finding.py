"""What a check says about an object, and what the engine makes of it."""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from webhook.core.fieldpath import FieldPath, printable

Severity = Literal["error", "warning"]

# The reasons of a Kubernetes `StatusCause` that percard uses (meta/v1 types.go, "FieldValue…").
INVALID = "FieldValueInvalid"
REQUIRED = "FieldValueRequired"
FORBIDDEN = "FieldValueForbidden"
NOT_SUPPORTED = "FieldValueNotSupported"

QUOTED_CHARACTERS = 64


class _Absent:
    """The value of a field that is not there; `None` is YAML's null, which is."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = _Absent()


def quoted(written: Any) -> str:
    """Return a value as written between quotes, escaped and cut to 64 characters."""
    return f"'{shown(written)}'"


def shown(written: Any) -> str:
    """Return a value as text: scalars as JSON spells them, containers by their kind only."""
    if isinstance(written, str):
        text = printable(written[: QUOTED_CHARACTERS + 1])
        return text if len(text) <= QUOTED_CHARACTERS else f"{text[: QUOTED_CHARACTERS - 1]}…"
    return _shown_scalar(written)


def _shown_scalar(written: Any) -> str:
    if written is None or isinstance(written, bool):
        return {None: "null", True: "true", False: "false"}[written]
    if isinstance(written, int) and abs(written) >= 10**QUOTED_CHARACTERS:
        return f"a number of more than {QUOTED_CHARACTERS} digits"
    if isinstance(written, int | float):
        return str(written)
    return "a list" if isinstance(written, list) else "a mapping"


@dataclass(slots=True)
class Complaint:
    """What a check returns: where, what is wrong, what to write instead.

    `where` is relative to the pod (or template); `value` is as written, `ABSENT` where the field is
    missing. `container` names the container it is about, `figures` are the numbers the rule was
    applied to: the UPDATE ratchet calls two findings the same when they agree. `severity` is set
    only where a rule is softer than its check. `of_owner` means that `where` starts at the workload.
    """

    where: tuple[str | int, ...]
    value: Any
    message: str
    hint: str = ""
    reason: str = INVALID
    container: str | None = None
    figures: tuple[Any, ...] = ()
    severity: Severity | None = None
    of_owner: bool = False


class Finding(NamedTuple):
    """A check's complaint about one field of one object.

    `value` is the text as written, at most 64 characters, `None` where the field is missing. `kind`,
    `namespace` and `name` are the object's, as far as it tells. Two findings with the same `identity`
    say the same of the same share.
    """

    check: str
    severity: Severity
    reason: str
    path: FieldPath
    value: str | None
    message: str
    hint: str
    dialect: str
    container: str | None
    kind: str
    namespace: str
    name: str
    identity: tuple[Any, ...]

    @property
    def subject(self) -> str:
        """Return `container 'app': `, to begin a sentence with; nothing where it is about no container alone."""
        return "" if self.container is None else f"container {quoted(self.container)}: "

    @property
    def advised(self) -> str:
        """Return the message, and what to write instead."""
        return f"{self.message}; {self.hint}" if self.hint else self.message

    @property
    def text(self) -> str:
        """Return the whole finding as one sentence that stands alone."""
        return f"{self.subject}{self.advised} [{self.check}]"
