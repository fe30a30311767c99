"""A template is known again by the place it has in its object: by the names of list items, not by their indexes."""

from typing import Any

from tests.support.pods import ENGINE, as_template, huawei, patched, volcengine, xg
from webhook.core.share import Stage

BAD, GOOD = as_template(huawei(xg(65), count="2")), as_template(huawei(xg(64), count="2"))


def job(**tasks: Any) -> dict[str, Any]:
    listed = [{"name": name, "template": template} for name, template in tasks.items()]
    return {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "metadata": {"name": "j"}, "spec": {"tasks": listed}}


def severities(new: dict[str, Any], old: dict[str, Any]) -> list[str]:
    return [finding.severity for finding in ENGINE.examine(new, old).findings]


def test_a_new_task_with_the_mistake_of_an_old_one_is_refused() -> None:
    assert severities(job(a=BAD, b=BAD), job(a=BAD)) == ["warning", "error"]


def test_a_mistake_that_moves_to_another_task_is_refused() -> None:
    assert severities(job(a=GOOD, b=BAD), job(a=BAD, b=GOOD)) == ["error"]


def test_a_task_that_is_put_in_front_does_not_make_the_others_new() -> None:
    assert severities(job(first=GOOD, a=BAD), job(a=BAD)) == ["warning"]


def test_the_items_of_a_typed_list_are_what_the_list_says() -> None:
    bad = huawei(xg(65), count="2")
    listed = {"apiVersion": "v1", "kind": "PodList", "items": [{key: bad[key] for key in ("metadata", "spec")}]}
    (finding,) = ENGINE.examine(listed).findings
    assert (finding.check, finding.kind, finding.path.parts[:2]) == ("memory-step", "Pod", ("items", 0))


def test_the_items_of_a_plain_list_say_themselves_what_they_are() -> None:
    bad = huawei(xg(65), count="2")
    listed = {"apiVersion": "v1", "kind": "List", "items": [{key: bad[key] for key in ("metadata", "spec")}]}
    assert ENGINE.examine(listed).findings == ()


def test_a_list_that_does_not_fit_is_brought_in_order_in_whatever_is_patched() -> None:
    pod = volcengine(None, {"vke.volcengine.com/mgpu-memory": 4096, "vke.volcengine.com/mgpu-core": 30}, count="2")
    verdict = ENGINE.examine(pod, stage=Stage.MUTATE)
    assert patched(pod, verdict)["metadata"]["annotations"]["vke.volcengine.com/container-multiple-gpu"] == "0,2"
    assert ENGINE.examine(pod).patch == ()
