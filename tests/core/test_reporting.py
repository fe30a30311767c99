"""One object is told so many mistakes of one kind, and what is cut off is never taken for right."""

from typing import Any

import pytest

from tests.support.pods import ENGINE, Json, as_template, deployment, engine_with, huawei, workload, xg
from webhook.core.finding import Finding
from webhook.core.reporting import MOST_COMPLAINTS
from webhook.core.share import Stage

MANY = MOST_COMPLAINTS + 50


def _wrong(count: int) -> Json:
    return huawei(*[xg(63)] * count, count="2")


def _kinds(findings: tuple[Finding, ...], check: str = "memory-step") -> list[str]:
    return [finding.severity for finding in findings if finding.check == check]


def test_as_many_as_are_told_are_told_without_a_remark() -> None:
    findings = ENGINE.examine(_wrong(MOST_COMPLAINTS - 1)).findings
    assert len(findings) == MOST_COMPLAINTS - 1
    assert not any("no more looked for" in finding.message for finding in findings)


def test_the_last_one_that_is_told_says_that_it_is_the_last() -> None:
    verdict = ENGINE.examine(_wrong(MANY))
    assert len(verdict.errors) == MOST_COMPLAINTS
    assert [
        finding.message.endswith(f"; {MOST_COMPLAINTS} like this were found, and no more looked for") for finding in verdict.errors
    ] == [
        *[False] * (MOST_COMPLAINTS - 1),
        True,
    ]


def test_another_kind_of_mistake_is_told_all_the_same() -> None:
    whole = _wrong(MANY)
    whole["spec"]["nodeName"] = "n1"
    whole["spec"]["containers"][-1]["resources"]["limits"] = xg(64, 33)
    found = {finding.check: finding for finding in ENGINE.examine(whole).errors}
    assert set(found) == {"memory-step", "scheduler-bypass", "core-step"}
    assert found["core-step"].container == f"c{MANY - 1}"


def test_a_pod_whose_mistakes_were_cut_off_is_not_patched() -> None:
    job = workload("batch.volcano.sh/v1alpha1", "Job", {"tasks": [{"template": as_template(_wrong(1))} for _ in range(MANY)]})
    assert ENGINE.examine(job, patch_templates=True).patch == ()
    assert ENGINE.examine(_wrong(MANY), stage=Stage.MUTATE).patch == ()


def test_each_object_of_a_list_has_its_own_account() -> None:
    items: Any = [_wrong(MANY), *[_wrong(1) for _ in range(MANY)]]
    assert len(ENGINE.examine({"apiVersion": "v1", "kind": "List", "items": items}).errors) == MOST_COMPLAINTS + MANY


def test_what_was_cut_off_before_an_update_stops_nobody() -> None:
    before, after = _wrong(MANY), _wrong(MANY)
    after["spec"]["containers"][0]["resources"]["limits"] = xg(64)
    findings = ENGINE.examine(after, before).findings
    assert _kinds(findings) == ["warning"] * MOST_COMPLAINTS
    before["spec"]["containers"] = before["spec"]["containers"][:10]
    assert "error" in _kinds(ENGINE.examine(after, before).findings)


@pytest.mark.parametrize("workloads", ["error", "warning"])
def test_the_setting_for_workloads_holds_for_what_is_told(workloads: str) -> None:
    findings = engine_with(workloads=workloads).examine(deployment(_wrong(MANY))).findings
    assert _kinds(findings) == [workloads] * MOST_COMPLAINTS
