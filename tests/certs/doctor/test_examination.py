"""The questions of an examination: a healthy installation raises none, and each fault is named with what to do."""

import base64
import copy
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from certs.authority import new_authority
from certs.doctor.examination import examine
from certs.doctor.facts import Expected, Facts, Finding, Trial

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
DAY = timedelta(days=1)
EXPECTED = Expected(annotation="percard.webhook/limits", version="1.2.3", marks=("gpu.example/share-", "gpu.example/cards"))
EXPRESSION = "key.startsWith('gpu.example/share-') || key in ['gpu.example/cards']"
AUTHORITY = new_authority("test", 365 * DAY, NOW)
SELECTOR = {"matchExpressions": [{"key": "percard.webhook/mode", "operator": "NotIn", "values": ["off"]}]}


def _entry(name: str, path: str, policy: str) -> dict[str, Any]:
    service = {"name": "percard", "namespace": "percard-system", "path": path}
    return {
        "name": name,
        "clientConfig": {"service": service, "caBundle": base64.b64encode(AUTHORITY.certificate).decode()},
        "failurePolicy": policy,
        "timeoutSeconds": 3,
        "namespaceSelector": SELECTOR,
        "matchConditions": [{"name": "carries-a-mark", "expression": EXPRESSION}],
        "rules": [{"apiGroups": [""], "resources": ["pods"]}],
    }


def _secret(life: timedelta = 30 * DAY, name: str = EXPECTED.host) -> dict[str, Any]:
    pair = AUTHORITY.issue([name], life, NOW)
    return {"data": {"tls.crt": base64.b64encode(pair.certificate).decode()}}


def _pod(image: str) -> dict[str, Any]:
    return {"spec": {"containers": [{"image": image}]}}


HEALTHY = Facts(
    now=NOW.timestamp(),
    kubernetes="v1.30.2",
    validating={"webhooks": [_entry("a.deny", "/validate", "Fail"), _entry("a.warn", "/validate/warn", "Ignore")]},
    mutating={"webhooks": [{**_entry("a.mutate", "/mutate", "Ignore"), "reinvocationPolicy": "IfNeeded"}]},
    secret=_secret(),
    deployment={"spec": {"replicas": 2}, "status": {"readyReplicas": 2}},
    pods=(_pod("registry.example/percard:1.2.3"),) * 2,
    slices=({"endpoints": [{"conditions": {"ready": True}}]},),
    namespaces=({"metadata": {"labels": {}}},),
    good=Trial({"metadata": {"annotations": {"percard.webhook/limits": "{}"}}}),
    bad=Trial(None, "admission webhook denied: percard: container 'trial': …"),
)


def _told(facts: Facts) -> list[Finding]:
    return [finding for finding in examine(facts, EXPECTED) if finding.level != "ok"]


def _with_entry(changed: dict[str, Any]) -> Facts:
    entries = copy.deepcopy(HEALTHY.validating)
    assert entries
    entries["webhooks"][0].update(changed)
    return replace(HEALTHY, validating=entries)


def test_a_healthy_installation_raises_no_complaint_and_answers_every_question() -> None:
    assert _told(HEALTHY) == []
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
        (_with_entry({"matchConditions": UNMARKED}), "marks", "problem", "a.deny does not look for gpu.example/cards"),
        (_with_entry({"matchConditions": None}), "marks", "warning", "a.deny sends every object"),
        (_with_entry({"failurePolicy": "Ignore"}), "policy", "warning", "a.deny lets everything pass"),
        (_with_entry({"timeoutSeconds": 30}), "policy", "warning", "a.deny may hold a request up for 30 s"),
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
        (replace(HEALTHY, secret=_secret(name="other.svc")), "certificate", "problem", "made out to other.svc, not to percard.percard"),
        (
            _with_entry({"clientConfig": {"service": {"path": "/validate"}, "caBundle": base64.b64encode(OTHER).decode()}}),
            "caBundle",
            "problem",
            "not trusted by a.deny",
        ),
        (replace(HEALTHY, deployment=None), "servers", "problem", "there is no Deployment percard-system/percard"),
        (replace(HEALTHY, deployment={"spec": {"replicas": 2}, "status": {}}), "servers", "problem", "none of 2 is ready"),
        (replace(HEALTHY, deployment={"spec": {"replicas": 2}, "status": {"readyReplicas": 1}}), "servers", "warning", "1 of 2"),
        (replace(HEALTHY, slices=()), "servers", "problem", "the Service percard leads to none of them"),
        (replace(HEALTHY, pods=(_pod("p:1"), _pod("p:2"))), "versions", "warning", "servers of different images: p:1, p:2"),
        (replace(HEALTHY, pods=(_pod("p:1.2.4"),)), "versions", "warning", "the servers run p:1.2.4, this program is 1.2.3"),
        (replace(HEALTHY, bad=Trial({})), "answers", "problem", "does not divide is not refused"),
        (replace(HEALTHY, bad=Trial(None, "quota exceeded")), "answers", "warning", "somebody else refuses the trial: quota exceeded"),
        (replace(HEALTHY, good=Trial(None, "percard: no")), "answers", "problem", "a pod that is right is refused: percard: no"),
        (replace(HEALTHY, good=Trial({"metadata": {}})), "answers", "problem", "the call of /mutate fails"),
        (replace(HEALTHY, bad=Trial(None, 'failed calling webhook "x": refused')), "answers", "problem", "the call fails: failed calling"),
    ],
)
def test_a_fault_is_named(facts: Facts, question: str, level: str, text: str) -> None:
    told = [finding for finding in _told(facts) if (finding.question, finding.level) == (question, level)]
    assert [finding for finding in told if text in finding.text], _told(facts)


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
    mutating = {"webhooks": [_entry("a.mutate", "/mutate", "Fail")]}
    assert [finding.text for finding in _told(replace(HEALTHY, mutating=mutating)) if finding.question == "policy"] == [
        "a.mutate refuses where percard is away, for an answer that refuses nothing"
    ]


def test_without_trials_and_without_rights_the_rest_is_examined() -> None:
    unread = {"secret": "403 Forbidden", "deployment": "403 Forbidden"}
    facts = replace(HEALTHY, good=None, bad=None, secret=None, deployment=None, pods=(), slices=(), namespaces=(), unread=unread)
    assert [(finding.question, finding.level) for finding in _told(facts)] == [("certificate", "warning"), ("servers", "warning")]


def test_each_complaint_about_the_installation_says_what_to_do() -> None:
    for facts in (replace(HEALTHY, validating=None), replace(HEALTHY, deployment=None), replace(HEALTHY, secret=None)):
        assert all(finding.advice for finding in _told(facts) if finding.level == "problem")


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
