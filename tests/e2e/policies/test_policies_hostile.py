"""Objects that nobody would write: no expression fails on any of them, whatever becomes of the object."""

from typing import Any

import pytest

from tests.e2e.policies.agreement import differences
from tests.e2e.policies.cases import Case
from tests.e2e.policies.client import Reply
from tests.e2e.policies.floor import Floor
from tests.support.pods import (
    CG_CORE,
    CG_COUNT,
    CG_MEMORY,
    LIMITS,
    MG_CORE,
    MG_LIST,
    MG_MEMORY,
    MG_POLICY,
    XG_CORE,
    XG_COUNT,
    XG_MEMORY,
    mg,
    volcengine,
    xg,
)
from webhook.policies.shares import MOST_CONTAINERS

Json = dict[str, Any]
_LONG = 200_000


def _pod(*containers: Json, labels: Json | None = None, annotations: Json | None = None, **spec: Any) -> Json:
    metadata = {"labels": labels or {}, "annotations": annotations or {}}
    listed = [{"name": f"c{number}", "image": "a", **container} for number, container in enumerate(containers)]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": listed, **spec}}


def _asks(limits: Json, requests: Json | None = None) -> Json:
    return {"resources": {"limits": limits, **({} if requests is None else {"requests": requests})}}


_AMOUNTS = ("500m", "-64", "0", "9e18", "99999999999999999999", "1n", "8Ei", "1.5Gi", "0.0", "1e30", "+5")
# What core refuses reaches the policies that patch all the same: they come before it is asked.
_ODD = {
    **{f"huawei asks for {amount}": _pod(_asks({XG_MEMORY: amount, XG_CORE: amount}), labels={XG_COUNT: "2"}) for amount in _AMOUNTS},
    **{f"volcengine asks for {amount}": _pod(_asks({MG_MEMORY: amount, MG_CORE: amount})) for amount in _AMOUNTS},
    **{
        f"alibaba asks for {amount}": _pod(_asks({CG_MEMORY: amount}), _asks({CG_CORE: amount}), labels={CG_COUNT: "2"})
        for amount in _AMOUNTS
    },
    "two of the most compute": _pod(_asks({CG_CORE: "9e18"}), _asks({CG_CORE: "9e18"}), labels={CG_COUNT: "x"}),
    "two of the most memory": _pod(_asks({CG_MEMORY: "9e18"}), _asks({CG_MEMORY: "9e18"}), labels={CG_COUNT: "x"}),
    "a request alone": _pod({"resources": {"requests": {XG_MEMORY: "64"}}}),
    "another request": _pod(_asks({XG_MEMORY: "64"}, {XG_MEMORY: "32"})),
    "no name": _pod({"name": "", **_asks({XG_MEMORY: "64"})}),
    "the same name twice": _pod({"name": "a", **_asks({XG_MEMORY: "64"})}, {"name": "a", **_asks({XG_MEMORY: "64"})}),
    "a name with quotes": _pod({"name": "a'b\"\\c", **_asks(xg("64"))}),
    "no containers": {"apiVersion": "v1", "kind": "Pod", "metadata": {}, "spec": {"containers": []}},
    "an init container alone": _pod(initContainers=[{"name": "i", "image": "a", **_asks({XG_MEMORY: "64"})}]),
    "no limits": _pod({"resources": {"limits": None}}),
    "a label with anything": _pod(_asks({XG_MEMORY: "64"}), labels={XG_COUNT: "²'\n"}),
    "a long list": _pod(_asks(mg("30", "4096")), annotations={MG_LIST: "1," * (_LONG // 2)}),
    "a list of nothing": _pod(_asks(mg("30", "4096")), annotations={MG_LIST: ",,,"}),
    "a list of everything": _pod(_asks(mg("30", "4096")), annotations={MG_LIST: "1\n,²,'\",-1,99999999999999999999,0x1, 1"}),
    "a long policy": _pod(_asks(mg("30", "4096")), annotations={MG_LIST: "1", MG_POLICY: "x" * _LONG}),
    "many annotations": _pod(_asks({XG_MEMORY: "64"}), annotations={f"a{number}": "x" for number in range(5000)}),
    "many variables": _pod({**_asks({XG_MEMORY: "64"}), "env": [{"name": f"A{number}", "value": "x"} for number in range(5000)]}),
    "many keys": _pod(_asks({f"volcano.sh/gpu-{number}": "1" for number in range(500)} | {XG_MEMORY: "64"})),
    "a broken limits annotation": _pod(_asks({XG_MEMORY: "64"}), annotations={LIMITS: "{"}),
    "all dialects": _pod(*(_asks({key: "7"}) for key in (XG_MEMORY, MG_CORE, CG_MEMORY)), labels={XG_COUNT: "2", CG_COUNT: "3"}),
}


# The policies know no limits annotation, and no more than 2**24 cards: they refuse these pods too, with other words.
_REFUSED_FOR_OTHER_REASONS = {"a broken limits annotation", "volcengine asks for 9e18"}


def _is_of_somebody(reply: Reply) -> bool:
    """Say whether an object was taken, or refused with the words of percard or of Kubernetes' own validation."""
    said = reply.denied_by
    return reply.ok or (said is None and "AdmissionPolicy" not in reply.message) or (said is not None and said.text.startswith("percard: "))


@pytest.mark.parametrize("name", _ODD)
@pytest.mark.parametrize("namespace", ["judged", "patched", "both", "warned"])
def test_no_expression_fails_on_an_odd_pod(name: str, namespace: str, floor: Floor) -> None:
    reply = floor.client.create(_ODD[name], namespace)
    assert _is_of_somebody(reply), reply.message
    assert floor.failures() == []


@pytest.mark.parametrize("name", sorted(_ODD.keys() - _REFUSED_FOR_OTHER_REASONS))
def test_an_odd_pod_that_kubernetes_takes_is_judged_as_the_engine_judges_it(name: str, floor: Floor) -> None:
    assert list(differences(floor, Case(name, _ODD[name]))) == []


@pytest.mark.parametrize("name", _ODD)
def test_no_expression_fails_on_an_odd_template(name: str, floor: Floor) -> None:
    template = {"metadata": _ODD[name]["metadata"], "spec": _ODD[name]["spec"]}
    for obj in (
        {"apiVersion": "v1", "kind": "PodTemplate", "metadata": {}, "template": template},
        {"apiVersion": "v1", "kind": "PodTemplate", "metadata": {}, "template": {"spec": template["spec"]}},
        {"apiVersion": "v1", "kind": "ReplicationController", "metadata": {}, "spec": {"selector": {"a": "b"}}},
    ):
        assert _is_of_somebody(floor.client.create(obj, "judged"))
    assert floor.failures() == []


def test_a_pod_of_more_containers_than_a_policy_can_judge_is_refused_and_not_patched(floor: Floor) -> None:
    most = volcengine(*[mg("30", "4096")] * MOST_CONTAINERS, count=",".join(["2"] * MOST_CONTAINERS))
    more = volcengine(*[mg("30", "4096")] * (MOST_CONTAINERS + 1), count=",".join(["2"] * (MOST_CONTAINERS + 1)))
    for pod in (most, more):
        pod["metadata"].pop("namespace")
    assert LIMITS in floor.client.create(most, "both").body["metadata"]["annotations"]
    assert LIMITS not in floor.client.create(more, "patched").body["metadata"]["annotations"]
    said = floor.client.create(more, "judged").denied_by
    assert said is not None
    assert said.text == "percard: the pod has more than 256 containers, more than a policy can judge"
    assert floor.failures() == []


@pytest.mark.parametrize("name", ["a request alone", "another request"])
def test_what_the_table_leaves_to_kubernetes_is_refused_by_it_where_no_policy_holds(name: str, floor: Floor) -> None:
    assert "requests-limits" in {finding.check for finding in floor.engine.examine(_ODD[name]).errors}
    reply = floor.client.create(_ODD[name], "bare")
    assert not reply.ok
    assert "AdmissionPolicy" not in reply.message
