"""Findings as the API server passes them on: causes, one message, warnings, audit annotations."""

import re
from collections.abc import Iterable, Sequence

from webhook.core.finding import Finding, quoted
from webhook.core.plugin import Dialect

PREFIX = "percard: "
# A note of an events.k8s.io/v1 Event is refused past 1,024 bytes, and the API server and the controller
# put "Error creating: admission webhook "…" denied the request: " in front.
MESSAGE_BYTES = 920
# kube-apiserver cuts a warning at 256 characters and drops those past 4,096 in all (filters/warning.go).
WARNING_CHARACTERS = 256
WARNINGS_CHARACTERS = 4095
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def one_line(text: str) -> str:
    """Return the text without control characters: the API server drops a warning that has one."""
    return _CONTROL.sub(" ", text)


def cause_message(finding: Finding) -> str:
    """Return a finding that stands alone; kubectl prints nothing else."""
    return one_line(PREFIX + finding.text)


def denial_message(errors: Sequence[Finding]) -> str:
    """Return all errors in one message, container and field first; controllers and Events show nothing else.

    What does not fit is counted: "and 3 more".
    """
    texts: list[str] = []
    for finding in errors:
        text = one_line(_located(finding))
        if _bytes(_joined([*texts, text], len(errors))) > MESSAGE_BYTES:
            break
        texts.append(text)
    return _joined(texts, len(errors)) if texts else _first_alone(errors)


def _first_alone(errors: Sequence[Finding]) -> str:
    frame = _joined([""], len(errors))
    text = _ending_with(one_line(_located(errors[0])), f" [{errors[0].check}]", MESSAGE_BYTES - _bytes(frame))
    return _joined([text], len(errors))


def _joined(texts: Sequence[str], count: int) -> str:
    rest = [f"and {count - len(texts)} more"] if len(texts) < count else []
    return PREFIX + " | ".join([*texts, *rest])


def _located(finding: Finding) -> str:
    container = f"container {quoted(finding.container)}, " if finding.container is not None else ""
    return f"{container}{finding.path}: {finding.advised} [{finding.check}]"


def _bytes(text: str) -> int:
    return len(text.encode(errors="surrogatepass"))


def _ending_with(text: str, ending: str, limit: int) -> str:
    """Return `text`, which ends with `ending`, in at most `limit` bytes that still end with it."""
    if _bytes(text) <= limit:
        return text
    room = limit - _bytes(f"…{ending}")
    return text.removesuffix(ending).encode(errors="replace")[:room].decode(errors="ignore") + f"…{ending}"


def warning_texts(findings: Iterable[Finding]) -> list[str]:
    """Return the findings as warnings that the API server passes on whole, each ending with its check id."""
    texts: list[str] = []
    left_over: list[str] = []
    room = WARNINGS_CHARACTERS - WARNING_CHARACTERS
    for finding in findings:
        text = _warning(finding)
        if left_over or len(text) > room:
            left_over.append(finding.check)
        else:
            texts.append(text)
            room -= len(text)
    return texts + _remainder(left_over)


def _warning(finding: Finding) -> str:
    text = one_line(PREFIX + finding.text)
    if len(text) <= WARNING_CHARACTERS:
        return text
    ending = f"… [{finding.check}]"
    return text[: WARNING_CHARACTERS - len(ending)] + ending


def _remainder(checks: list[str]) -> list[str]:
    if not checks:
        return []
    ending = f" [{', '.join(dict.fromkeys(checks))}]"
    text = f"{PREFIX}and {len(checks)} more"
    return [text + ending if len(text + ending) <= WARNING_CHARACTERS else f"{text} [{checks[0]}, …]"]


class AuditTexts:
    """Says in the audit log which dialect and checks led to an answer, by which version and memory unit.

    The API server puts the webhook's name in front of each key.
    """

    def __init__(self, dialects: Iterable[Dialect], version: str) -> None:
        """Take the dialects with their settings applied."""
        self._units = {dialect.id: dialect.unit_name for dialect in dialects}
        self._version = version
        # One entry for each set of dialects that a pod was written in; most pods have no findings.
        self._plain: dict[tuple[str, ...], dict[str, str]] = {}

    def annotations(self, dialects: tuple[str, ...], findings: Sequence[Finding]) -> dict[str, str]:
        """Return the audit annotations of one answer; `checks` only where there are findings."""
        plain = self._plain.get(dialects)
        if plain is None:
            units = ",".join([self._units.get(dialect, "") for dialect in dialects])
            plain = {"dialect": ",".join(dialects), "memory-unit": units, "version": self._version}
            self._plain[dialects] = plain
        return plain | {"checks": ",".join(dict.fromkeys([finding.check for finding in findings]))} if findings else plain
