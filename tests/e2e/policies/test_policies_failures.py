"""Expressions that fail are noticed: that none of percard's does would else be no finding."""

from typing import Any

import pytest
import trustme

from tests.e2e.controlplane import control_plane
from tests.e2e.policies.client import Client
from tests.e2e.policies.floor import Floor
from tests.e2e.processes import wait_for
from tests.e2e.programs import Programs
from tests.support.pods import huawei, xg
from webhook import build_engine

Json = dict[str, Any]
_API = "admissionregistration.k8s.io/v1"
_FAILS = "int(object.metadata.name) > 0"
_RULE = {"apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"], "operations": ["CREATE"]}
_SPEC: Json = {"failurePolicy": "Ignore", "matchConstraints": {"resourceRules": [_RULE]}}
_JUDGES: Json = {**_SPEC, "validations": [{"expression": "true"}]}
_PATCH = "[JSONPatch{op: 'add', path: '/metadata/labels/x', value: string(int(object.metadata.name))}]"
_PATCHES: Json = {
    **_SPEC,
    "reinvocationPolicy": "Never",
    "mutations": [{"patchType": "JSONPatch", "jsonPatch": {"expression": _PATCH}}],
}
_FAILING = {
    "a condition": ("Validating", {**_JUDGES, "matchConditions": [{"name": "fails", "expression": _FAILS}]}),
    "a judgement": ("Validating", {**_JUDGES, "validations": [{"expression": _FAILS}]}),
    "a patch": ("Mutating", _PATCHES),
}


@pytest.mark.parametrize("what", _FAILING)
def test_the_metrics_tell_of_an_expression_that_fails(
    what: str, programs: Programs, authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with control_plane(programs, tmp_path_factory.mktemp("failing"), authority) as cluster, Client(cluster) as client:
        floor = Floor(client, build_engine(), frozenset(), patching=False)
        assert floor.failures() == []
        kind, spec = _FAILING[what]
        binding = {"policyName": "failing", **({"validationActions": ["Deny"]} if kind == "Validating" else {})}
        for name, content in ((f"{kind}AdmissionPolicy", spec), (f"{kind}AdmissionPolicyBinding", binding)):
            obj = {"apiVersion": _API, "kind": name, "metadata": {"name": "failing"}, "spec": content}
            cluster.kubectl.succeed("create", "-f", "-", given=obj)
        wait_for(lambda: _is_noticed(floor), "an expression that fails is not noticed")


def _is_noticed(floor: Floor) -> bool:
    pod = huawei(xg(64))
    assert floor.client.create({**pod, "metadata": {"name": "named-so", "labels": {"a": "b"}}}, "default").ok
    return bool(floor.failures())
