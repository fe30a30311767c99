"""Compares what the policies say of an object with what the engine says of the same."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import jsonpatch

from tests.e2e.policies.cases import Case
from tests.e2e.policies.client import Reply, Said
from tests.e2e.policies.floor import Floor
from webhook import Stage
from webhook.core.engine import Verdict

Json = dict[str, Any]
Expected = dict[tuple[str, str], set[str]]


def expected(floor: Floor, verdict: Verdict) -> Expected:
    """Return the ids of the checks that complain, of those that the policies claim, by dialect and severity."""
    found: Expected = {}
    for finding in verdict.findings:
        if finding.check in floor.claimed:
            found.setdefault((finding.dialect, finding.severity), set()).add(finding.check)
    return found


def differences(floor: Floor, case: Case) -> Iterator[str]:
    """Yield in what policies and engine differ; nothing for an object that Kubernetes itself refuses."""
    bare = floor.client.create(case.obj, "bare")
    if not bare.ok:
        return
    wanted = expected(floor, floor.engine.examine(bare.body, stage=Stage.VALIDATE))
    found = [*_verdict(floor.client.create(case.obj, "judged"), wanted), *_warnings(floor.client.create(case.obj, "warned"), wanted)]
    if case.obj["kind"] == "Pod":
        found += _patch(floor, case, bare.body)
    yield from (f"{case.name}: {difference}\n{_shown(bare.body)}" for difference in found)


def _verdict(reply: Reply, wanted: Expected) -> Iterator[str]:
    errors = {check for (_, severity), checks in wanted.items() if severity == "error" for check in checks}
    if reply.ok:
        if errors:
            yield f"allowed, for all of {sorted(errors)}"
        return
    said = reply.denied_by
    if said is None or not said.text.startswith("percard: "):
        yield f"refused in other words: {reply.message}"
    elif not _agree(said, wanted, "error"):
        yield f"refused for {sorted(said.checks)} instead of {wanted}: {said.text}"


def _warnings(reply: Reply, wanted: Expected) -> Iterator[str]:
    """Yield differences where errors are warnings too, so that every policy has its say."""
    said = [(one, "warning" if one.policy.endswith("-warnings") else "error") for one in reply.warned_by]
    for one, severity in said:
        if not _agree(one, wanted, severity):
            yield f"warned of {sorted(one.checks)} instead of {wanted}: {one.text}"
    if not wanted.keys() <= {(_dialect(one), severity) for one, severity in said}:
        yield f"warned only by {[one.policy for one, _ in said]} instead of {wanted}"


def _agree(said: Said, wanted: Expected, severity: str) -> bool:
    """Say whether a policy names the right checks: what two dialects say alike of a pod, the engine keeps once."""
    of_all = {check for (_, of), checks in wanted.items() if of == severity for check in checks}
    least = set() if _is_cut(said) else wanted.get((_dialect(said), severity), set())
    return least <= said.checks <= of_all


def _dialect(said: Said) -> str:
    return said.policy.split("-")[1]


def _is_cut(said: Said) -> bool:
    """Say whether a message is cut: by the policy, as it is long, or by the API server, as all warnings together are."""
    return not said.text.endswith("]")


def _patch(floor: Floor, case: Case, bare: Json) -> Iterator[str]:
    """Yield in what the patched pod differs from the webhook's; a list that would have to be repaired is the webhook's alone."""
    verdict = floor.engine.examine(bare, stage=Stage.MUTATE)
    operations = [operation._asdict() for operation in verdict.patch]
    is_repaired = any(gpu.repaired is not None for gpu in verdict.pods)
    wanted = bare if is_repaired else jsonpatch.JsonPatch(operations).apply(copy.deepcopy(bare))
    patched = floor.client.create(case.obj, "patched").body
    if _patched_parts(patched) != _patched_parts(wanted):
        yield f"patched to {_patched_parts(patched)} instead of {_patched_parts(wanted)}"
    errors = [finding.text for finding in floor.engine.examine(patched, stage=Stage.VALIDATE).errors if finding.check in floor.claimed]
    both = floor.client.create(case.obj, "both")
    if both.ok is bool(errors):
        yield f"with both kinds of policies {both.message or 'allowed'}, the engine says {errors}"


def _patched_parts(pod: Json) -> tuple[Json, Any]:
    return pod["metadata"].get("annotations", {}), pod["spec"].get("schedulerName")


def _shown(obj: Json) -> str:
    metadata = {key: obj["metadata"].get(key) for key in ("labels", "annotations")}
    return json.dumps({"kind": obj["kind"], "metadata": metadata, **{key: obj[key] for key in ("spec", "template") if key in obj}})
