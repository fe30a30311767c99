"""From what checks complain of to findings, of which one object gets only so many."""

from typing import TYPE_CHECKING

from webhook.core.fieldpath import FieldPath, printable
from webhook.core.finding import ABSENT, Complaint, Finding, Severity, shown
from webhook.core.share import GpuPod

if TYPE_CHECKING:
    from webhook.core.pod import Where

# Of one check about one object. A review of 3 MiB has room for tens of thousands of faulty containers, and to tell of
# all of them would take seconds, in which nobody else is answered.
MOST_COMPLAINTS = 1000
_LAST = f"; {MOST_COMPLAINTS} like this were found, and no more looked for"


class Tally:
    """What was told of the objects of one document; `cut` are the checks of which not all was told."""

    __slots__ = ("_told", "cut")

    def __init__(self) -> None:
        """Begin with nothing told."""
        self._told: dict[tuple[str, Where], int] = {}
        self.cut: set[str] = set()

    def finding(self, check_id: str, severity: Severity, gpu: GpuPod, complaint: Complaint) -> Finding | None:
        """Return the complaint as a finding, None where enough was told of the object."""
        about = (check_id, gpu.pod.owner_at)
        told = self._told[about] = self._told.get(about, 0) + 1
        if told > MOST_COMPLAINTS:
            self.cut.add(check_id)
            return None
        found = _finding(check_id, severity, gpu, complaint)
        return found._replace(message=found.message + _LAST) if told == MOST_COMPLAINTS else found


def _finding(check_id: str, severity: Severity, gpu: GpuPod, complaint: Complaint) -> Finding:
    base = gpu.pod.owner_at if complaint.of_owner else gpu.pod.root
    keys = tuple([part for part in complaint.where if type(part) is str])
    written = shown(complaint.value)
    return Finding(
        check=check_id,
        severity=severity,
        reason=complaint.reason,
        path=FieldPath(base + complaint.where),
        value=None if complaint.value is ABSENT else written,
        message=printable(complaint.message),
        hint=printable(complaint.hint),
        dialect=gpu.dialect.id,
        container=complaint.container,
        kind=gpu.pod.kind,
        namespace=gpu.pod.namespace,
        name=gpu.pod.name,
        identity=(check_id, gpu.dialect.id, complaint.container, keys, complaint.figures or written),
    )
