"""The line of the log that tells of one answer, as JSON."""

from datetime import UTC, datetime

import msgspec

from webhook.admission.reply import Answer, Outcome

# Names of Kubernetes objects have at most 253 characters; what is longer comes from elsewhere.
_LONGEST = 253
EVENTS: dict[Outcome, str] = {
    "allowed": "admission allowed",
    "patched": "admission patched",
    "warned": "admission warned",
    "denied": "admission denied",
}


class AnswerLine(msgspec.Struct, gc=False):
    """What is told of an answer: names and ids, never a value of the object."""

    level: str
    event: str
    uid: str
    endpoint: str
    operation: str
    kind: str
    namespace: str
    name: str
    dialects: tuple[str, ...]
    allowed: bool
    checks: list[str]
    patch_operations: int


_encoder = msgspec.json.Encoder()


def line_of(answer: Answer, level: str) -> AnswerLine:
    """Return the line that tells of an answer, with names no longer than those of Kubernetes."""
    return AnswerLine(
        level,
        EVENTS[answer.outcome],
        answer.uid[:_LONGEST],
        answer.endpoint,
        answer.operation[:_LONGEST],
        answer.kind[:_LONGEST],
        answer.namespace[:_LONGEST],
        answer.name[:_LONGEST],
        answer.dialects,
        answer.outcome != "denied",
        sorted({finding.check for finding in answer.findings}) if answer.findings else [],
        answer.patch_operations,
    )


def as_json(line: AnswerLine, seconds: float) -> str:
    """Return the line as one JSON object; `seconds` is when it was told, since the epoch."""
    return f'{{"time":"{as_time(seconds)}",{_encoder.encode(line).decode()[1:]}'


def as_time(seconds: float) -> str:
    """Return a time since the epoch as logs show it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def as_fields(line: AnswerLine) -> dict[str, object]:
    """Return the line's fields without level and event."""
    return {name: value for name, value in msgspec.structs.asdict(line).items() if name not in ("level", "event")}
