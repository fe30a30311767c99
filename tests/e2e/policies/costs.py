"""What evaluating a policy costs, by the API server's own evaluator."""

import json
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.programs import TOOLS
from tests.support.pods import (
    CG_CORE,
    CG_COUNT,
    CG_MEMORY,
    MG_CORE,
    MG_LIST,
    MG_MEMORY,
    XG_CORE,
    XG_COUNT,
    XG_MEMORY,
    as_template,
    workload,
)
from webhook.policies.shares import MOST_CONTAINERS

Json = dict[str, Any]
FILE = Path(__file__).with_name("costs.json")
SIZES = (1, 10, 100, MOST_CONTAINERS)
# What all expressions of a policy together may cost (k8s.io/apiserver/pkg/apis/cel); one that costs too much alone fails.
PER_POLICY = 10_000_000
# Every container of these is wrong in memory and compute, under the longest name that there is.
_WRONG: dict[str, tuple[Json, Json]] = {
    "alibaba": ({CG_MEMORY: "1", CG_CORE: "3"}, {"labels": {CG_COUNT: "3"}}),
    "huawei": ({XG_MEMORY: "65", XG_CORE: "31"}, {"labels": {XG_COUNT: "3"}}),
    "volcengine": ({MG_MEMORY: "2047", MG_CORE: "31"}, {"annotations": {}}),
}


def built() -> Path:
    """Build the evaluator in the module of the control plane's programs; Go's cache makes it quick the second time."""
    program = Path.home() / ".cache" / "percard" / "policycost"
    program.parent.mkdir(parents=True, exist_ok=True)
    go = shutil.which("go")
    if go is None:
        pytest.skip("there is no Go to build the evaluator with")
    subprocess.run([go, "build", "-buildvcs=false", "-o", program, "./policycost"], cwd=TOOLS, check=True)
    return program


def evaluated(program: Path, version: str, policies: Iterable[Mapping[str, Any]], objects: list[Json]) -> Json:
    """Return what the evaluator says: `errors` of expressions, `costs` by policy and number of the object."""
    judging = [policy for policy in policies if policy["kind"] == "ValidatingAdmissionPolicy"]
    given = json.dumps({"version": version, "policies": judging, "objects": objects})
    done = subprocess.run([program], input=given, capture_output=True, text=True, check=True)
    answer: Json = json.loads(done.stdout)
    return answer


def costliest(containers: int) -> list[Json]:
    """Return pods and Deployments of so many containers, wrong in every one of them, one of each dialect."""
    pods = [_pod(dialect, containers) for dialect in _WRONG]
    return [*pods, *(workload("apps/v1", "Deployment", {"template": as_template(pod)}) for pod in pods)]


def largest(containers: int) -> list[Json]:
    """Return pods whose containers all ask for an amount at the end of 64 bits, with and without a count that can be read."""
    keys = {"labels": ((XG_MEMORY, XG_CORE, XG_COUNT), (CG_MEMORY, CG_CORE, CG_COUNT)), "annotations": ((MG_MEMORY, MG_CORE, MG_LIST),)}
    return [
        _asking(containers, {memory: amount, core: amount}, {place: {count: written}} if written else {})
        for place, dialects in keys.items()
        for memory, core, count in dialects
        for amount in ("9223372036854775807", "9223372036854775800", "1099511627777", "8E")
        for written in ("", "x", "65536", ",".join(["65536"] * containers))
    ]


def _asking(containers: int, limits: Json, metadata: Json) -> Json:
    listed = [{"name": f"c{number}", "image": "a", "resources": {"limits": limits}} for number in range(containers)]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", **metadata}, "spec": {"containers": listed}}


def _pod(dialect: str, containers: int) -> Json:
    limits, metadata = _WRONG[dialect]
    if dialect == "volcengine":
        metadata = {"annotations": {MG_LIST: ",".join(["2"] * containers)}}
    listed = [_container(number, limits) for number in range(containers)]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", **metadata}, "spec": {"containers": listed, "schedulerName": "x"}}


def _container(number: int, limits: Mapping[str, str]) -> Json:
    env = [{"name": f"VARIABLE_{index}", "value": "x"} for index in range(10)]
    return {"name": f"c{number}".ljust(63, "x"), "image": "a", "env": env, "resources": {"limits": limits, "requests": limits}}


def of_policy(cost: Json) -> int:
    """Return what one evaluation costs in all."""
    return int(cost["conditions"] + cost["validations"] + cost["message"])
