"""The questions of an examination: a healthy installation raises none, and each fault is named with what to do."""

import base64
import copy
from dataclasses import replace

import pytest

from certs.authority import new_authority
from certs.doctor.examination import examine
from certs.doctor.facts import Facts, Trial
from tests.certs.doctor.installations import DAY, EXPECTED, EXPRESSION, HEALTHY, NOW, complaints, entry, pod, secret, with_entry


def test_a_healthy_installation_raises_no_complaint_and_answers_every_question() -> None:
    assert complaints(HEALTHY) == []
    assert [finding.question for finding in examine(HEALTHY, EXPECTED)] == [
        "kubernetes",
        "configurations",
        "marks",
        "namespaces",
        "certificate",
        "caBundle",
        "servers",
        "versions",
        "answers",
    ]


UNMARKED = [{"name": "m", "expression": EXPRESSION.replace("gpu.example/cards", "gpu.example/card")}]
OTHER = new_authority("other", DAY, NOW).certificate


@pytest.mark.parametrize(
    ("facts", "question", "level", "text"),
    [
        (replace(HEALTHY, kubernetes="v1.29.9"), "kubernetes", "problem", "v1.29.9 is too old"),
        (replace(HEALTHY, kubernetes=""), "kubernetes", "problem", "cannot be read"),
        (replace(HEALTHY, validating=None), "configurations", "problem", "nothing is refused"),
        (replace(HEALTHY, mutating=None), "configurations", "warning", "neither scheduler nor limits"),
        (replace(HEALTHY, unread={"configurations": "403 Forbidden"}), "configurations", "problem", "403 Forbidden"),
        (with_entry({"matchConditions": UNMARKED}), "marks", "problem", "a.deny does not look for gpu.example/cards"),
        (with_entry({"matchConditions": None}), "marks", "warning", "a.deny sends every object"),
        (with_entry({"failurePolicy": "Ignore"}), "policy", "warning", "a.deny lets everything pass"),
        (with_entry({"timeoutSeconds": 30}), "policy", "warning", "a.deny may hold a request up for 30 s"),
        (
            replace(HEALTHY, namespaces=({"metadata": {"labels": {"percard.webhook/mode": "off"}}},)),
            "namespaces",
            "warning",
            "0 enforced, 0 warned, 0 audited: nothing is refused anywhere",
        ),
        (replace(HEALTHY, secret=None), "certificate", "problem", "servers cannot start"),
        (replace(HEALTHY, unread={"secret": "403 Forbidden"}), "certificate", "warning", "cannot be read: 403 Forbidden"),
        (replace(HEALTHY, now=(NOW + 31 * DAY).timestamp()), "certificate", "problem", "it ended 1.0 days ago"),
        (replace(HEALTHY, now=(NOW + 24 * DAY).timestamp()), "certificate", "warning", "it ends in 6.0 days"),
        (replace(HEALTHY, secret=secret(name="other.svc")), "certificate", "problem", "made out to other.svc, not to percard.percard"),
        (
            with_entry({"clientConfig": {"service": {"path": "/validate"}, "caBundle": base64.b64encode(OTHER).decode()}}),
            "caBundle",
            "problem",
            "not trusted by a.deny",
        ),
        (replace(HEALTHY, deployment=None), "servers", "problem", "there is no Deployment percard-system/percard"),
        (replace(HEALTHY, deployment={"spec": {"replicas": 2}, "status": {}}), "servers", "problem", "none of 2 is ready"),
        (replace(HEALTHY, deployment={"spec": {"replicas": 2}, "status": {"readyReplicas": 1}}), "servers", "warning", "1 of 2"),
        (replace(HEALTHY, slices=()), "servers", "problem", "the Service percard leads to none of them"),
        (replace(HEALTHY, pods=(pod("p:1"), pod("p:2"))), "versions", "warning", "servers of different images: p:1, p:2"),
        (replace(HEALTHY, pods=(pod("p:1.2.4"),)), "versions", "warning", "the servers run p:1.2.4, this program is 1.2.3"),
        (replace(HEALTHY, bad=Trial({})), "answers", "problem", "does not divide is not refused"),
        (replace(HEALTHY, bad=Trial(None, "quota exceeded")), "answers", "warning", "somebody else refuses the trial: quota exceeded"),
        (replace(HEALTHY, good=Trial(None, "percard: no")), "answers", "problem", "a pod that is right is refused: percard: no"),
        (replace(HEALTHY, good=Trial({"metadata": {}})), "answers", "problem", "the call of /mutate fails"),
        (replace(HEALTHY, bad=Trial(None, 'failed calling webhook "x": refused')), "answers", "problem", "the call fails: failed calling"),
    ],
)
def test_a_fault_is_named(facts: Facts, question: str, level: str, text: str) -> None:
    told = [finding for finding in complaints(facts) if (finding.question, finding.level) == (question, level)]
    assert [finding for finding in told if text in finding.text], complaints(facts)


@pytest.mark.parametrize(
    ("name", "policy", "level"), [("zzz", "Never", "warning"), ("zzz", "IfNeeded", "ok"), ("aaa", "Never", "ok")], ids=repr
)
def test_a_webhook_that_changes_pods_after_percard_matters_where_percard_does_not_look_again(name: str, policy: str, level: str) -> None:
    mutating = copy.deepcopy(HEALTHY.mutating)
    assert mutating
    mutating["webhooks"][0]["reinvocationPolicy"] = policy
    other = {"metadata": {"name": name}, "webhooks": [{"rules": [{"apiGroups": ["*"], "resources": ["*"]}]}]}
    found = examine(replace(HEALTHY, mutating=mutating, mutating_of_others=(other,)), EXPECTED)
    assert [finding.level for finding in found if finding.question == "other webhooks"] == [level]


def test_a_mutating_entry_that_refuses_is_a_problem() -> None:
    mutating = {"webhooks": [entry("a.mutate", "/mutate", "Fail")]}
    assert [finding.text for finding in complaints(replace(HEALTHY, mutating=mutating)) if finding.question == "policy"] == [
        "a.mutate refuses where percard is away, for an answer that refuses nothing"
    ]


def test_without_trials_and_without_rights_the_rest_is_examined() -> None:
    unread = {"secret": "403 Forbidden", "deployment": "403 Forbidden"}
    facts = replace(HEALTHY, good=None, bad=None, secret=None, deployment=None, pods=(), slices=(), namespaces=(), unread=unread)
    assert [(finding.question, finding.level) for finding in complaints(facts)] == [("certificate", "warning"), ("servers", "warning")]


def test_each_complaint_about_the_installation_says_what_to_do() -> None:
    for facts in (replace(HEALTHY, validating=None), replace(HEALTHY, deployment=None), replace(HEALTHY, secret=None)):
        assert all(finding.advice for finding in complaints(facts) if finding.level == "problem")


def test_what_to_do_is_said_of_the_namespace_that_is_examined() -> None:
    found = examine(replace(HEALTHY, secret=None, deployment=None), replace(EXPECTED, namespace="gpu-admission"))
    commands = [finding.advice for finding in found if finding.advice.startswith("kubectl -n")]
    assert len(commands) == 2
    assert all(command.startswith("kubectl -n gpu-admission ") for command in commands)


def test_a_site_s_own_annotation_is_the_one_that_a_patched_pod_must_carry() -> None:
    patched = replace(HEALTHY, good=Trial({"metadata": {"annotations": {"gpu.example/limits": "{}"}}}))
    levels = {
        annotation: [
            finding.level for finding in examine(patched, replace(EXPECTED, annotation=annotation)) if finding.question == "answers"
        ]
        for annotation in ("gpu.example/limits", "percard.webhook/limits")
    }
    assert levels == {"gpu.example/limits": ["ok"], "percard.webhook/limits": ["problem"]}
