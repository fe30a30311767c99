"""matchConditions, evaluated by a real API server: a mark is sent, unless a policy refuses before; none costs no call."""

import copy
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.e2e.installed import objects
from tests.e2e.installed.api import Api, Reply
from tests.e2e.installed.conftest import Installation
from tests.e2e.installed.counts import calls
from tests.e2e.installed.objects import ARGO, BUILT_IN, CUSTOM, Kind
from tests.e2e.installed.overlays import OUTCOMES, WRONG
from webhook import Stage, build_engine
from webhook.policies.catalogue import rules

Object = dict[str, Any]
ENGINE = build_engine()
DIALECTS = ENGINE.dialects
CLAIMED = {rule.check for rule in rules().values() if rule.is_expressed}
NEAR_MISSES = [f"{family}{ending}" for dialect in DIALECTS for family in dialect.families for ending in ("x", "mem-ory")]
FOREIGN = {key for dialect in DIALECTS for key in dialect.foreign_keys}
KNOWN = {key for dialect in DIALECTS for key in dialect.resources.values()}
RESOURCES = sorted(KNOWN | set(NEAR_MISSES))
POD_KEYS = sorted({key for dialect in DIALECTS for key in dialect.pod_keys})
MISPLACED = [key for key in POD_KEYS if "/" in key]
# Keys of other stacks, some of which begin like a family.
STRANGERS = sorted(
    {key for dialect in DIALECTS for key in dialect.foreign_keys} | {"nvidia.com/gpu", "volcano.sh/vgpu-number", "ali.com/gpu"}
)
NONE: Counter[str] = Counter()


def _id(kind: Kind) -> str:
    return f"{kind.name}-{kind.template or 'itself'}"


class Caller:
    """Creates objects as dry runs and says which endpoints were called."""

    def __init__(self, api: Api, installation: Installation, namespace: str, overlay: str) -> None:
        self._api, self._ops_port, self._namespace, self._overlay = api, installation.ops_port, namespace, overlay
        self._before = calls(self._ops_port)

    def send(self, kind: Kind, obj: Object) -> tuple[Reply, Counter[str]]:
        """Create an object; return the answer and how often each endpoint was called."""
        reply = self._api.create(objects.collection(kind, self._namespace), obj, dry_run=True)
        now = calls(self._ops_port)
        called, self._before = now - self._before, now
        return reply, called

    def require_asked(self, kind: Kind, obj: Object) -> None:
        """Create an object with a mark: percard must be asked, but for one that a policy of the overlay refuses before."""
        reply, called = self.send(kind, obj)
        if not _is_known_as_wrong(kind, obj):
            assert called == _expected(kind), (obj, reply)
            return
        outcome = OUTCOMES[WRONG][self._overlay]
        assert called == Counter(outcome.asks_of_pods if kind.name == "Pod" else outcome.asks), (obj, reply)
        assert reply.ok is outcome.taken
        assert all(text in reply.message for text in outcome.says), (obj, reply)


@pytest.fixture
def caller(api: Api, installation: Installation, namespace: str, overlay: str) -> Caller:
    return Caller(api, installation, namespace, overlay)


def _is_known_as_wrong(kind: Kind, obj: Object) -> bool:
    """Say whether policies, where they are installed, refuse an object: they know built-in kinds, and most checks."""
    stage = Stage.MUTATE if kind.name == "Pod" else Stage.VALIDATE
    return kind in BUILT_IN and any(finding.check in CLAIMED for finding in ENGINE.examine(obj, stage=stage).errors)


def _expected(kind: Kind) -> Counter[str]:
    return Counter({"mutate": 1, "validate": 1} if kind.name == "Pod" else {"validate": 1})


def _template(kind: Kind) -> Object:
    return objects.template(restart=objects.restart_policy(kind))


def _with_resource(template: Object, key: str, place: tuple[str, int, str] = ("containers", 0, "limits")) -> Object:
    where, index, bag = place
    changed = copy.deepcopy(template)
    changed["spec"][where][index]["resources"].setdefault(bag, {})[key] = "1"
    return changed


def _with_noted(template: Object, place: str, key: str) -> Object:
    changed = copy.deepcopy(template)
    changed["metadata"].setdefault(place, {})[key] = "1"
    return changed


@pytest.mark.parametrize("kind", [*BUILT_IN, *CUSTOM], ids=_id)
def test_an_object_with_any_mark_is_sent(kind: Kind, caller: Caller) -> None:
    plain = _template(kind)
    marked = [_with_resource(plain, key) for key in (*RESOURCES, *MISPLACED)]
    marked += [_with_noted(plain, place, key) for place in ("labels", "annotations") for key in POD_KEYS]
    for template in marked:
        caller.require_asked(kind, objects.make(kind, template))


@pytest.mark.parametrize("kind", [*BUILT_IN, *CUSTOM], ids=_id)
def test_a_mark_is_seen_in_every_container(kind: Kind, caller: Caller) -> None:
    places = [("containers", 1, "limits"), ("initContainers", 0, "limits")]
    # Of the built-in kinds core refuses a request without a limit before anybody is asked.
    places += [("containers", 0, "requests"), ("initContainers", 0, "requests")] if kind in CUSTOM else []
    for place in places:
        caller.require_asked(kind, objects.make(kind, _with_resource(_template(kind), RESOURCES[0], place)))


@pytest.mark.parametrize("kind", [kind for kind in (*BUILT_IN, *CUSTOM) if kind.template], ids=_id)
def test_a_count_on_the_workload_itself_is_sent_to_be_told_about(kind: Kind, caller: Caller) -> None:
    for place in ("labels", "annotations"):
        for key in POD_KEYS:
            obj = objects.make(kind, _template(kind))
            obj["metadata"][place] = {key: "1"}
            caller.require_asked(kind, obj)


def _unmarked(template: Object) -> Iterator[Object]:
    yield template
    yield from (_with_resource(template, key) for key in STRANGERS)
    yield _with_noted(template, "annotations", "example.com/gpu-count")
    bare = copy.deepcopy(template)
    del bare["metadata"]
    yield bare


@pytest.mark.parametrize("kind", [*BUILT_IN, *CUSTOM], ids=_id)
def test_an_object_without_marks_costs_no_call_and_passes(kind: Kind, caller: Caller) -> None:
    for template in _unmarked(_template(kind)):
        if "metadata" not in template and kind in BUILT_IN:
            continue  # core wants labels there
        reply, called = caller.send(kind, objects.make(kind, template))
        assert called == NONE, template
        assert reply.ok, reply


@pytest.mark.parametrize("kind", ARGO, ids=_id)
def test_a_template_of_an_argo_workflow_is_looked_through(kind: Kind, caller: Caller) -> None:
    plain = objects.argo_template()
    reply, called = caller.send(kind, objects.make(kind, plain))
    assert (called, reply.ok) == (NONE, True)
    places: list[Callable[[Object], Object]] = [
        lambda template: template["container"],
        lambda template: template["script"],
        lambda template: template["containerSet"]["containers"][0],
        lambda template: template["initContainers"][0],
    ]
    for place in places:
        marked = copy.deepcopy(plain)
        place(marked)["resources"]["limits"][RESOURCES[0]] = "1"
        assert caller.send(kind, objects.make(kind, marked))[1] == _expected(kind)
    assert caller.send(kind, objects.make(kind, _with_noted(plain, "labels", POD_KEYS[0])))[1] == _expected(kind)


ODD: list[Any] = [None, True, 1, 1.5, "text", [], {}, [[]], [None, "x", {}], {"a": None, "b": [], "c": {"d": 1}}]


@pytest.mark.parametrize("kind", [*CUSTOM, *ARGO], ids=_id)
def test_a_custom_resource_of_an_unexpected_shape_is_let_through(kind: Kind, caller: Caller) -> None:
    templates = [*ODD, *({"metadata": odd, "spec": odd} for odd in ODD)]
    templates += [{"metadata": {"labels": odd}, "spec": {"containers": odd, "initContainers": odd}, "container": odd} for odd in ODD]
    templates += [{"spec": {"containers": [{"resources": odd}, {"resources": {"limits": odd}}]}} for odd in ODD]
    for template in templates:
        reply, called = caller.send(kind, objects.make(kind, template))
        assert called == NONE, template
        assert reply.ok, (template, reply)


@pytest.mark.parametrize("odd", [odd for odd in ODD if odd != []], ids=repr)
def test_a_custom_resource_whose_spec_is_no_object_is_let_through(odd: Any, caller: Caller) -> None:
    for kind in CUSTOM[:3]:
        obj = {"apiVersion": kind.api, "kind": kind.name, "metadata": {"name": "case"}, "spec": odd}
        reply, called = caller.send(kind, obj)
        assert (called, reply.ok) == (NONE, True), (odd, reply)


def test_the_largest_objects_are_looked_through_within_the_budget_of_the_api_server(caller: Caller) -> None:
    pod, volcano = BUILT_IN[0], next(kind for kind in CUSTOM if kind.resource == "jobs")
    template = objects.template()
    (container, _) = template["spec"]["containers"]
    container["resources"]["limits"] |= {f"example.com/resource-{number}": "1" for number in range(8)}
    container["resources"]["requests"] = dict(container["resources"]["limits"])
    many = [{**container, "name": f"c-{number}"} for number in range(500)]
    large = {**template, "spec": {**template["spec"], "containers": many}}
    reply, called = caller.send(pod, objects.make(pod, large))
    assert (called, reply.ok) == (NONE, True), reply
    job = objects.make(volcano, template)
    job["spec"]["tasks"] = [{"name": f"t-{number}", "template": copy.deepcopy(template)} for number in range(500)]
    reply, called = caller.send(volcano, job)
    assert (called, reply.ok) == (NONE, True), reply
