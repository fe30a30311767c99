"""What an object was like before an UPDATE, so that nobody is stopped by mistakes that were there already."""

from collections.abc import Callable, Iterable, Sequence

from webhook.core.finding import Finding
from webhook.core.pod import Where, same
from webhook.core.share import GpuPod


class Before:
    """The pods of the object before an UPDATE.

    Templates are known again by their names; where several have the same, the one at the same index counts.
    """

    def __init__(self, pods: Sequence[GpuPod]) -> None:
        """Take the pods as read."""
        self._pods = pods
        self._by_place = {old.pod.place: old for old in pods if old.pod.is_template}
        self._by_root: dict[Where, GpuPod] = {old.pod.root: old for old in pods}

    def pod(self, gpu: GpuPod) -> GpuPod | None:
        """Return the pod as it was, in the same dialect; None where it was not in that."""
        return next((old for old in self._pods if old.dialect.id == gpu.dialect.id), None)

    def has_template(self, gpu: GpuPod) -> bool:
        """Say whether a template was there before, and the same."""
        place, parts = gpu.pod.place, gpu.pod.raw_parts
        candidates = (self._by_place.get(place), self._by_root.get(gpu.pod.root))
        return any(old is not None and old.pod.place == place and same(parts, old.pod.raw_parts) for old in candidates)


def softened(findings: Iterable[Finding], *, where: Callable[[Finding], bool] = lambda _: True) -> list[Finding]:
    """Return the findings, those of them that are meant as warnings."""
    return [finding._replace(severity="warning") if where(finding) else finding for finding in findings]
