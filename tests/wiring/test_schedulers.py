"""Settings about schedulers: what the patch writes and what a pod may name."""

from tests.wiring.pods import huawei, volcengine
from tests.wiring.verdicts import complaints, examine, patch_of


def test_the_scheduler_is_what_the_patch_writes() -> None:
    assert patch_of(examine(huawei()))["/spec/schedulerName"] == "volcano"
    assert patch_of(examine(huawei(), dialects__huawei__scheduler_name="hpc"))["/spec/schedulerName"] == "hpc"
    assert "/spec/schedulerName" not in patch_of(examine(volcengine()))
    assert patch_of(examine(volcengine(), dialects__volcengine__scheduler_name="hpc"))["/spec/schedulerName"] == "hpc"


def test_the_scheduler_is_what_a_pod_may_name() -> None:
    obj = huawei(schedulerName="hpc")
    assert complaints(examine(obj)) == [("scheduler-conflict", "error")]
    assert complaints(examine(obj, dialects__huawei__scheduler_name="hpc")) == []


def test_an_accepted_scheduler_stays() -> None:
    obj = huawei(schedulerName="hpc")
    accepted = examine(obj, dialects__huawei__accepted_schedulers=["hpc"])
    assert complaints(accepted) == []
    assert "/spec/schedulerName" not in patch_of(accepted)


def test_a_list_of_accepted_schedulers_replaces_the_vendors() -> None:
    obj = volcengine(schedulerName="volcano")
    assert complaints(examine(obj)) == []
    assert complaints(examine(obj, dialects__volcengine__accepted_schedulers=[])) == [("scheduler-conflict", "error")]


def test_a_foreign_scheduler_is_denied_told_or_overwritten() -> None:
    obj = huawei(schedulerName="mine")
    assert complaints(examine(obj)) == complaints(examine(obj, foreign_scheduler="deny")) == [("scheduler-conflict", "error")]
    assert patch_of(examine(obj)) == {}
    told = examine(obj, foreign_scheduler="warn")
    assert complaints(told) == [("scheduler-conflict", "warning")]
    assert "/spec/schedulerName" not in patch_of(told)
    overwritten = examine(obj, foreign_scheduler="override")
    assert complaints(overwritten) == []
    assert patch_of(overwritten)["/spec/schedulerName"] == "volcano"
