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
Expected = dict[str, set[str]]


def expected(floor: Floor, verdict: Verdict) -> Expected:
    """Return the ids of the checks that complain, of those that the policies claim, by severity."""
    found: Expected = {}
    for finding in verdict.findings:
        if finding.check in floor.claimed:
            found.setdefault(finding.severity, set()).add(finding.check)
    return found


def differences(floor: Floor, case: Case) -> Iterator[str]:
    """Yield in what policies and engine differ; nothing for an object that Kubernetes itself refuses."""
    bare = floor.client.create(case.obj, "bare")
    if not bare.ok:
        return
    wanted = expected(floor, floor.engine.examine(bare.body, stage=Stage.VALIDATE))
    found = [*_verdict(floor.client.create(case.obj, "judged"), wanted), *_warnings(floor.client.create(case.obj, "warned"), wanted)]
    if case.obj["kind"] == "Pod" and floor.patching:
        found += _patch(floor, case, bare.body)
    yield from (f"{case.name}: {difference}\n{_shown(bare.body)}" for difference in found)


def _verdict(reply: Reply, wanted: Expected) -> Iterator[str]:
    errors = wanted.get("error", set())
    if reply.ok:
        if errors:
            yield f"allowed, for all of {sorted(errors)}"
        return
    said = reply.denied_by
    if said is None or not said.text.startswith("percard: "):
        yield f"refused in other words: {reply.message}"
    elif not agree(said, errors):
        yield f"refused for {sorted(said.checks)} instead of {wanted}: {said.text}"


def _warnings(reply: Reply, wanted: Expected) -> Iterator[str]:
    """Yield differences where errors are warnings too, so that every policy has its say."""
    said = {"warning" if one.policy.endswith("-warnings") else "error": one for one in reply.warned_by}
    for severity in wanted.keys() | said.keys():
        one = said.get(severity)
        if one is None:
            yield f"nothing said of {severity}, for all of {wanted}"
        elif not agree(one, wanted.get(severity, set())):
            yield f"warned of {sorted(one.checks)} instead of {wanted}: {one.text}"


def agree(said: Said, wanted: set[str]) -> bool:
    """Say whether a policy names the right checks, or some of them where not all that it found is told."""
    return said.checks <= wanted if _is_cut(said) else said.checks == wanted


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
