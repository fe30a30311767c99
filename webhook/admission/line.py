"""The line of the log that tells of one answer, as JSON."""

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

    time: str
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


def line_of(answer: Answer, time: str, level: str) -> AnswerLine:
    """Return the line; `time` is as it is to be shown."""
    return AnswerLine(
        time,
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


def as_json(line: AnswerLine) -> str:
    """Return the line as one JSON object."""
    return _encoder.encode(line).decode()


def as_fields(line: AnswerLine) -> dict[str, object]:
    """Return the line's fields without time, level and event."""
    return {name: value for name, value in msgspec.structs.asdict(line).items() if name not in ("time", "level", "event")}
