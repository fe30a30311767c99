"""The questions of an examination where admission policies judge below the webhook, or alone."""

from dataclasses import replace
from typing import Any

import pytest

from certs.doctor.examination import examine
from certs.doctor.facts import Trial
from tests.certs.doctor.installations import EXPECTED, HEALTHY, complaints, with_entry

POLICY = {"metadata": {"name": "percard-pods"}}
BY_POLICY = Trial(None, "ValidatingAdmissionPolicy 'percard-pods' with binding 'percard-pods-deny' denied request: percard: …")


def test_an_entry_that_lets_pass_is_right_above_admission_policies_and_those_are_told_of() -> None:
    floored = replace(with_entry({"failurePolicy": "Ignore"}), floor=POLICY, bad=BY_POLICY)
    assert complaints(floored) == []
    texts = {finding.question: finding.text for finding in examine(floored, EXPECTED)}
    assert texts["floor"] == "admission policies judge pods and built-in workloads, also while percard is away"
    assert texts["answers"] == "a wrong pod is refused by an admission policy and a right one patched (dry runs)"


@pytest.mark.parametrize(
    ("policy", "floor", "consequence"),
    [
        ("Fail", None, "GPU pods are refused in enforced namespaces"),
        ("Fail", POLICY, "GPU pods are refused in enforced namespaces"),
        ("Ignore", POLICY, "admission policies alone judge, and custom resources pass"),
        ("Ignore", None, "GPU pods pass without being judged"),
    ],
)
def test_what_it_means_that_no_server_is_ready_depends_on_what_is_below_and_who_refuses(
    policy: str, floor: dict[str, Any] | None, consequence: str
) -> None:
    away = {"spec": {"replicas": 2}, "status": {}}
    told = complaints(replace(with_entry({"failurePolicy": policy}), floor=floor, deployment=away))
    assert [finding.text for finding in told if finding.question == "servers"] == [f"none of 2 is ready: {consequence}"]


def test_where_policies_are_all_that_is_installed_nothing_else_is_missed() -> None:
    alone = replace(HEALTHY, validating=None, mutating=None, deployment=None, secret=None, floor=POLICY, bad=BY_POLICY)
    assert [(finding.question, finding.level) for finding in examine(alone, EXPECTED)] == [
        ("kubernetes", "ok"),
        ("floor", "ok"),
        ("answers", "ok"),
    ]


def test_policies_that_may_not_be_read_are_told() -> None:
    told = complaints(replace(HEALTHY, unread={"policies": "403 Forbidden"}))
    assert [(finding.question, finding.text) for finding in told] == [("floor", "admission policies cannot be read: 403 Forbidden")]
