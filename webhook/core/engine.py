"""The engine: one object in, one verdict out, whatever the object is."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from webhook.core.finding import Complaint, Finding, Severity
from webhook.core.needs import facts_of
from webhook.core.patch import PatchOp
from webhook.core.plugin import Check, Dialect, PluginError
from webhook.core.pod import EMPTY, PodView, mapping
from webhook.core.ratchet import Before, softened
from webhook.core.reading import survey
from webhook.core.reporting import Tally
from webhook.core.rewriting import planned
from webhook.core.rules import Rules
from webhook.core.share import GpuPod, Stage, Survey
from webhook.core.vocabulary import Vocabulary
from webhook.core.walk import pods_in


@dataclass(slots=True)
class Verdict:
    """What percard says about an object.

    `findings` are errors and warnings, pod by pod, in the order of the checks; `patch` is empty where
    nothing is to be done; `pods` are the pods and templates that carry marks, as read, once per dialect.
    """

    findings: tuple[Finding, ...] = ()
    patch: tuple[PatchOp, ...] = ()
    pods: tuple[GpuPod, ...] = ()

    @property
    def dialects(self) -> tuple[str, ...]:
        """Return the ids of the dialects that were found, each once."""
        return tuple(dict.fromkeys(pod.dialect.id for pod in self.pods))

    @property
    def errors(self) -> tuple[Finding, ...]:
        """Return the findings that deny."""
        return tuple(finding for finding in self.findings if finding.severity == "error")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """Return the findings that only warn."""
        return tuple(finding for finding in self.findings if finding.severity == "warning")


class Engine:
    """Examines objects by the given dialects, checks and rules; holds no state between calls."""

    def __init__(self, dialects: Sequence[Dialect], checks: Sequence[Check], rules: Rules) -> None:
        """Build the tables; raises `PluginError` where dialects or checks contradict each other."""
        self._known = tuple(dialects)
        self.dialects = tuple(dialect for dialect in dialects if dialect.enabled)
        self.off = tuple(dialect for dialect in dialects if not dialect.enabled)
        self.checks = tuple(sorted(checks, key=lambda check: check.last))
        self.rules = rules
        self._due = {dialect.id: self._due_for(dialect) for dialect in self.dialects}
        self._by_id = {dialect.id: dialect for dialect in self.dialects}
        self._words = Vocabulary(self.dialects, rules.whole_card_keys)
        if len({check.id for check in checks}) < len(checks) or len(self._by_id) < len(self.dialects):
            message = "two checks or two dialects have the same id"
            raise PluginError(message)

    @property
    def targets(self) -> dict[str, Dialect]:
        """Return the dialects that pods can be written in, by id."""
        return {dialect.id: dialect for dialect in self.dialects if dialect.write is not None}

    def _due_for(self, dialect: Dialect) -> list[tuple[str, Callable[[GpuPod], Iterable[Complaint]], int, Severity]]:
        """Return the checks that are on and concern a dialect: their ids, what they run, what they need, how bad it is."""
        levels = [(check, self.rules.severity(check.id, check.severity)) for check in self.checks if check.concerns(dialect)]
        return [(check.id, check.run, int(check.needs), level) for check, level in levels if level != "off"]

    def mentions_marks(self, text: str | bytes) -> bool:
        """Say whether a JSON or YAML text can hold a key of any dialect; False needs no decoding."""
        return self._words.mentions_marks(text)

    def knowing_all(self) -> "Engine":
        """Return an engine that reads every dialect, enabled or not, and rewrites nothing: for translating between them."""
        return Engine([replace(dialect, enabled=True) for dialect in self._known], self.checks, replace(self.rules, target=None))

    def examine(self, obj: Any, old: Any = None, *, stage: Stage = Stage.MANIFEST, patch_templates: bool = False) -> Verdict:
        """Return the verdict on `obj`, any JSON value; nothing is raised.

        `old` is the object before an UPDATE. `stage` says when in its life the object is seen.
        `patch_templates` plans the patch of pod templates too, which admission never does.
        """
        if old is not None:
            return self._examine_update(obj, old)
        findings: list[Finding] = []
        patch: list[PatchOp] = []
        pods = self._read_all(obj, stage)
        tally = Tally()
        for gpu in pods:
            findings += self._judge(gpu, tally)
            if self._may_patch(gpu, patch_templates=patch_templates):
                patch += planned(gpu)
        return _verdict(findings, patch, pods)

    def _examine_update(self, obj: Any, old: Any) -> Verdict:
        if mapping(mapping(old).get("metadata")).get("deletionTimestamp") is not None:
            return Verdict()
        before = Before(self._read_all(old, Stage.UPDATE))
        pods = self._read_all(obj, Stage.UPDATE)
        tally = Tally()
        findings = [finding for gpu in pods for finding in self._ratchet(gpu, before, tally)]
        return _verdict(findings, (), pods)

    def _ratchet(self, gpu: GpuPod, before: Before, tally: Tally) -> list[Finding]:
        """Soften what the old object already had: the pods of an unchanged template are refused anyway."""
        if gpu.pod.is_template:
            return softened(self._judge(gpu, tally)) if before.has_template(gpu) else self._judge(gpu, tally)
        gpu.old, earlier = before.pod(gpu), Tally()
        known = {finding.identity for finding in self._judge(gpu.old, earlier)} if gpu.old else set()
        return softened(self._judge(gpu, tally), where=lambda finding: finding.identity in known or finding.check in earlier.cut)

    def _read_all(self, obj: Any, stage: Stage) -> list[GpuPod]:
        return [gpu for pod in pods_in(obj) for gpu in self._read(pod, stage)]

    def _read(self, pod: PodView, stage: Stage) -> list[GpuPod]:
        found = survey(pod, self._words)
        marked = found.marked()
        noticed = [dialect for dialect in self._noticed(pod, found) if dialect not in marked]
        pods = [GpuPod(pod, self._by_id[dialect], found, self.rules, self._words.reserved, stage=stage) for dialect in marked + noticed]
        for gpu in pods:
            gpu.creating = stage is not Stage.LIVE and (pod.is_template or stage is not Stage.UPDATE)
        for gpu in pods[: len(marked)]:
            gpu.dialect.read(gpu)
            gpu.others = [other for other in pods[: len(marked)] if other is not gpu]
        return pods

    def _noticed(self, pod: PodView, found: Survey) -> list[str]:
        """Return the dialects whose pod-level keys stand on the pod, its workload or, misplaced, in a container."""
        if self.rules.target_keep_source and self.rules.source_key in pod.annotations:
            return []
        owner = pod.owner_metadata if pod.is_template else EMPTY
        places = (pod.labels, pod.annotations, mapping(owner.get("labels")), mapping(owner.get("annotations")))
        known = self._words.pod_keys
        keys = [key for place in places for key in place if key in known]
        return list(dict.fromkeys([*found.misplaced, *[known[key] for key in sorted(keys)]]))

    def _judge(self, gpu: GpuPod, tally: Tally) -> list[Finding]:
        """Run every check; templates are softened or dropped as the rules say."""
        found = []
        facts = facts_of(gpu)
        for check, run, needs, level in self._due[gpu.dialect.id]:
            if facts & needs != needs:
                continue
            for complaint in run(gpu):
                severity = complaint.severity or level
                gpu.sound = gpu.sound and severity != "error"
                finding = tally.finding(check, severity, gpu, complaint)
                if finding is None:
                    break
                found.append(finding)
        if len(found) > 1:
            found.sort(key=_place)
        if not gpu.pod.is_template:
            return found
        if self.rules.workloads == "off":
            return []
        return softened(found) if self.rules.workloads == "warning" or gpu.pod.is_copy else found

    def _may_patch(self, gpu: GpuPod, *, patch_templates: bool) -> bool:
        if not gpu.sound or gpu.others:
            return False
        return patch_templates if gpu.pod.is_template else gpu.stage in (Stage.MANIFEST, Stage.MUTATE)


def _verdict(findings: list[Finding], patch: Iterable[PatchOp], pods: Iterable[GpuPod]) -> Verdict:
    """Keep one of the findings that two dialects of one pod, or the copies of one key, agree on."""
    if len(findings) > 1:
        unique = {(finding.check, finding.path, finding.container, finding.message): finding for finding in reversed(findings)}
        findings = list(reversed(unique.values()))
    return Verdict(tuple(findings), tuple(patch), tuple([gpu for gpu in pods if gpu.marked]))


def _place(finding: Finding) -> tuple[int, ...]:
    """Return the indexes of a path: what is said of the pod comes before its containers, one after the other."""
    return tuple(part for part in finding.path.parts if isinstance(part, int))
