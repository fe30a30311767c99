"""Which objects are made: names, bindings, modes, kinds and versions."""

import pytest

from tests.policies.made import engine_with, made, of_kind
from webhook import Engine
from webhook.core.plugin import Check
from webhook.core.rules import Rules
from webhook.policies.bindings import Action
from webhook.policies.generation import unsaid
from webhook.policies.model import Version, version_for

_KINDS = (
    ("ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"),
    ("MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"),
)
# What kubectl apply keeps of an object must fit into an annotation.
_MOST_BYTES = 256 * 1024


@pytest.mark.parametrize(("policy", "binding"), _KINDS)
def test_every_policy_is_bound_and_every_binding_has_its_policy(policy: str, binding: str) -> None:
    objects = made()
    assert {spec["policyName"] for spec in of_kind(objects, binding).values()} == of_kind(objects, policy).keys()


def test_names_are_given_once_to_each_kind_and_objects_are_small_enough_to_apply() -> None:
    objects = made()
    names = [(obj["kind"], obj["metadata"]["name"]) for obj in objects]
    assert len(set(names)) == len(names)
    assert all(len(str(obj)) < _MOST_BYTES for obj in objects)


@pytest.mark.parametrize("version", ["1.30", "1.32"])
def test_an_old_kubernetes_gets_no_mutating_policies(version: Version) -> None:
    assert {obj["kind"] for obj in made(version=version)} == set(_KINDS[0])


def test_one_kind_alone_can_be_had() -> None:
    assert {obj["kind"] for obj in made(kind="mutating")} == set(_KINDS[1])
    assert {obj["kind"] for obj in made(kind="validating")} == set(_KINDS[0])


@pytest.mark.parametrize(("action", "others"), [("deny", ["audit", "off", "warn"]), ("warn", ["audit", "deny", "off"])])
def test_namespaces_without_a_label_get_the_action_and_the_others_their_own(action: Action, others: list[str]) -> None:
    bindings = of_kind(made(action=action), "ValidatingAdmissionPolicyBinding")
    modes = {
        mode: bindings[f"percard-pods-{mode}"]["matchResources"]["namespaceSelector"]["matchExpressions"][1]
        for mode in ("deny", "warn", "audit")
    }
    assert modes[action] == {"key": "percard.webhook/mode", "operator": "NotIn", "values": others}
    other = next(mode for mode in modes if mode != action)
    assert modes[other] == {"key": "percard.webhook/mode", "operator": "In", "values": [other]}
    assert [bindings[f"percard-pods-{mode}"]["validationActions"] for mode in modes] == [["Deny"], ["Warn"], ["Audit"]]


def test_warnings_never_deny() -> None:
    bindings = of_kind(made(), "ValidatingAdmissionPolicyBinding")
    actions = {action for name, spec in bindings.items() if "-warnings-" in name for action in spec["validationActions"]}
    assert actions == {"Warn", "Audit"}


@pytest.mark.parametrize(
    ("level", "policies"), [("error", {"workloads", "workloads-warnings"}), ("warning", {"workloads-warnings"}), ("off", set())]
)
def test_workloads_are_judged_as_the_setting_says(level: str, policies: set[str]) -> None:
    names = of_kind(made(engine_with({"workloads": level})), "ValidatingAdmissionPolicy")
    assert {name.removeprefix("percard-") for name in names} == {"pods", "pods-warnings"} | policies


def test_pods_that_are_to_be_translated_are_not_patched_and_that_is_told() -> None:
    engine = engine_with({"target": "hami"})
    assert of_kind(made(engine), "MutatingAdmissionPolicy") == {}
    told = list(unsaid(engine, "all", "1.36"))
    assert [remark for remark in told if "no policies for HAMi" in remark]
    assert [remark for remark in told if "pods that become HAMi" in remark]


def test_what_the_defaults_say_is_said_in_full() -> None:
    assert list(unsaid(engine_with({}), "all", "1.36")) == []
    (remark,) = unsaid(engine_with({"inject_env": True}), "all", "1.30")
    assert remark.startswith("no mutating policy: a pod's scheduler must be set by whoever writes it, or by the webhook;")
    assert remark.endswith("clusters from Kubernetes 1.36 on get one with --min-version 1.36")
    assert list(unsaid(engine_with({"inject_env": True}), "all", "1.36")) == ["the mutating policies write no environment variables"]


def test_that_nothing_is_left_to_print_is_told() -> None:
    kai_alone = {f"dialects.{dialect}.enabled": dialect == "kai" for dialect in ("alibaba", "huawei", "kai", "volcengine")}
    assert made(engine_with(kai_alone)) == []
    told = list(unsaid(engine_with(kai_alone), "all", "1.36"))
    assert [remark.partition(":")[0] for remark in told] == ["no policies for KAI Scheduler", "nothing to print"]


def test_a_check_that_nobody_has_written_as_an_expression_is_told_unless_it_is_off() -> None:
    plain = engine_with({})
    further = Check(id="forbidden-name", page="x", run=lambda _: ())
    engine = Engine(plain.dialects, [*plain.checks, further], plain.rules)
    assert list(unsaid(engine, "validating", "1.30")) == [
        "the policies leave out forbidden-name: nobody has written it as an expression yet"
    ]
    off = Engine(plain.dialects, [*plain.checks, further], Rules(severities={"forbidden-name": "off"}))
    assert list(unsaid(off, "validating", "1.30")) == []


@pytest.mark.parametrize(
    ("release", "version"),
    [
        ("1.30", "1.30"),
        ("1.31", "1.30"),
        ("1.33", "1.32"),
        ("v1.33.5-eks-abc", "1.32"),
        ("1.36", "1.36"),
        ("1.100", "1.36"),
        ("1.29", None),
    ],
)
def test_policies_for_a_release_are_those_of_the_newest_version_that_it_understands(release: str, version: str | None) -> None:
    assert version_for(release) == version
