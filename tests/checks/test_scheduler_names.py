"""Which scheduler a pod may name, by dialect, setting and stage."""

from typing import Any

import pytest

from tests.support.pods import ENGINE, deployment, engine_with, errors, huawei, mutated, patched, said, two_cards
from webhook.core.share import Stage

DIALECTS = ("volcengine", "huawei", "alibaba")
ALLOWED: dict[str, tuple[Any, ...]] = {
    "volcengine": (None, "", "default-scheduler", "volcano"),
    "huawei": (None, "", "default-scheduler", "volcano"),
    "alibaba": (None, "", "default-scheduler"),
}
FOREIGN: dict[str, tuple[Any, ...]] = {
    "volcengine": ("hami-scheduler", "Volcano", "volcano ", 5, []),
    "huawei": ("hami-scheduler", "Volcano", "volcano-2", 5, {}),
    "alibaba": ("hami-scheduler", "volcano", True, []),
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_absent_the_default_and_the_dialects_own_are_fine_in_a_file_and_at_the_mutating_webhook(dialect: str) -> None:
    for name in ALLOWED[dialect]:
        whole = two_cards(dialect)
        whole["spec"]["schedulerName"] = name
        assert (errors(whole), errors(whole, stage=Stage.MUTATE), errors(deployment(whole))) == (set(), set(), set())


@pytest.mark.parametrize("dialect", DIALECTS)
def test_any_other_is_refused_and_the_pod_not_patched(dialect: str) -> None:
    for name in FOREIGN[dialect]:
        whole = two_cards(dialect)
        whole["spec"]["schedulerName"] = name
        verdict = ENGINE.examine(whole)
        assert [(finding.check, str(finding.path)) for finding in verdict.errors] == [("scheduler-conflict", "spec.schedulerName")]
        assert verdict.patch == ()


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", [None, "", "default-scheduler"])
def test_a_new_pod_that_the_mutating_webhook_did_not_see_passes_only_where_the_default_scheduler_will_do(dialect: str, name: Any) -> None:
    whole = two_cards(dialect)
    whole["spec"]["schedulerName"] = name
    expected = {"scheduler-conflict"} if dialect == "huawei" else set()
    assert errors(whole, stage=Stage.VALIDATE) == expected
    assert errors(deployment(whole), stage=Stage.VALIDATE) == set()
    assert errors(whole, two_cards(dialect)) == set()


def test_a_new_pod_with_other_errors_is_not_blamed_for_the_missing_scheduler() -> None:
    whole = two_cards("huawei")
    whole["metadata"]["labels"]["volcano.sh/gpu-num"] = "3"
    assert errors(whole, stage=Stage.VALIDATE) == {"memory-step"}


def test_a_share_that_is_let_through_undivided_needs_its_scheduler_by_hand() -> None:
    engine = engine_with(severities={"memory-step": "warning"})
    whole = two_cards("huawei")
    whole["metadata"]["labels"]["volcano.sh/gpu-num"] = "3"
    assert engine.examine(whole, stage=Stage.MUTATE).patch == ()
    (finding,) = engine.examine(whole, stage=Stage.VALIDATE).errors
    assert "patches no pod whose shares do not divide" in finding.message
    whole["spec"]["schedulerName"] = "volcano"
    assert errors(whole, stage=Stage.VALIDATE, engine=engine) == set()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_set_to_warn_a_foreign_scheduler_stays_and_the_limits_are_written(dialect: str) -> None:
    engine = engine_with(foreign_scheduler="warn")
    whole = two_cards(dialect)
    whole["spec"]["schedulerName"] = "foreign"
    verdict = engine.examine(whole)
    assert (said(verdict), said(verdict, "warning")) == (set(), {"scheduler-conflict"})
    result = patched(whole, verdict)
    assert result["spec"]["schedulerName"] == "foreign"
    assert "percard.webhook/limits" in result["metadata"]["annotations"]
    assert errors(result, stage=Stage.VALIDATE, engine=engine) == set()


@pytest.mark.parametrize(("dialect", "own"), [("volcengine", "default-scheduler"), ("huawei", "volcano"), ("alibaba", "default-scheduler")])
def test_set_to_override_a_foreign_scheduler_is_overwritten(dialect: str, own: str) -> None:
    engine = engine_with(foreign_scheduler="override")
    whole = two_cards(dialect)
    whole["spec"]["schedulerName"] = "foreign"
    assert engine.examine(whole, stage=Stage.MUTATE).findings == ()
    result = mutated(whole, engine)
    assert result["spec"]["schedulerName"] == own
    assert errors(result, stage=Stage.VALIDATE, engine=engine) == set()
    assert errors(deployment(whole), stage=Stage.VALIDATE, engine=engine) == set()


def test_set_to_override_a_foreign_scheduler_that_nobody_overwrote_is_refused() -> None:
    whole = two_cards("alibaba")
    whole["spec"]["schedulerName"] = "foreign"
    assert errors(whole, stage=Stage.VALIDATE, engine=engine_with(foreign_scheduler="override")) == {"scheduler-conflict"}


@pytest.mark.parametrize(
    ("stage", "refused"), [(Stage.MANIFEST, True), (Stage.MUTATE, True), (Stage.VALIDATE, True), (Stage.LIVE, False), (Stage.UPDATE, False)]
)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_new_pod_that_names_its_node_is_refused(dialect: str, stage: Stage, *, refused: bool) -> None:
    whole = mutated(two_cards(dialect))
    whole["spec"]["nodeName"] = "n1"
    old = mutated(two_cards(dialect)) if stage is Stage.UPDATE else None
    verdict = ENGINE.examine(whole, old, stage=stage)
    assert [(finding.check, str(finding.path)) for finding in verdict.errors] == [("scheduler-bypass", "spec.nodeName")] * refused


def test_a_template_that_names_its_node_is_refused_and_no_node_is_no_mistake() -> None:
    whole = two_cards("huawei")
    for name, expected in (("n1", {"scheduler-bypass"}), ("", set()), (None, set()), ([], {"scheduler-bypass"})):
        whole["spec"]["nodeName"] = name
        assert errors(deployment(whole)) == expected


@pytest.mark.parametrize(
    ("name", "shown"), [(None, "default-scheduler"), ("", "default-scheduler"), ("default-scheduler", "default-scheduler")]
)
@pytest.mark.parametrize(("count", "ignored"), [("2", "volcano.sh/gpu-num"), (None, "volcano.sh/gpu-mem.128Mi")])
def test_a_pod_that_the_mutating_webhook_did_not_see_is_told_what_would_be_ignored(name: Any, shown: str, count: Any, ignored: str) -> None:
    whole = huawei(count=count, **({} if name is None else {"schedulerName": name}))
    for stage, severity in ((Stage.VALIDATE, "error"), (Stage.LIVE, "warning")):
        (finding,) = ENGINE.examine(whole, stage=stage).findings
        assert (finding.severity, finding.value) == (severity, name)
        assert finding.text == (
            f"percard's mutating webhook did not run for this pod, so that the scheduler '{shown}' would ignore its {ignored}; "
            "schedulerName must be 'volcano'; create the pod again once the webhook is back, or write schedulerName: volcano "
            "[scheduler-conflict]"
        )


def test_a_share_that_does_not_divide_is_told_that_no_webhook_patches_it() -> None:
    (finding,) = engine_with(severities={"memory-step": "warning"}).examine(huawei(count="3"), stage=Stage.VALIDATE).errors
    assert finding.text == (
        "percard's mutating webhook patches no pod whose shares do not divide into whole figures, so that the scheduler "
        "'default-scheduler' would ignore its volcano.sh/gpu-num; schedulerName must be 'volcano'; write schedulerName: volcano "
        "[scheduler-conflict]"
    )
