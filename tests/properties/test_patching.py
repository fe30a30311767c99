"""For any pod: patching twice is patching once, the result is allowed, and nothing but the patch has changed."""

import copy
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.support.generated import PODS, damaged, right_pods
from tests.support.pods import ENGINE, LIMITS, MG_LIST, Json, container, deployment, engine_with, mutated, patched
from webhook.core.engine import Engine
from webhook.core.share import Stage

ENGINES = (ENGINE, engine_with(inject_env=True), engine_with(foreign_scheduler="override"), engine_with(annotation_prefix="x.example"))
SOFT = engine_with(severities={check.id: "warning" for check in ENGINE.checks if check.id != "scheduler-conflict"})


@given(PODS | right_pods() | damaged(), st.sampled_from([*ENGINES, SOFT]))
def test_twice_is_once_and_what_was_patched_is_allowed(whole: Json, engine: Engine) -> None:
    once = mutated(whole, engine)
    if once == whole:
        return
    assert engine.examine(once, stage=Stage.MUTATE).patch == ()
    assert engine.examine(once, stage=Stage.VALIDATE).errors == ()


@given(right_pods(), st.sampled_from(ENGINES))
def test_a_right_pod_is_patched_and_allowed(whole: Json, engine: Engine) -> None:
    once = mutated(whole, engine)
    assert once != whole
    assert engine.examine(once, stage=Stage.VALIDATE).findings == ()


@given(damaged())
def test_nothing_outside_the_patch_changes(whole: Json) -> None:
    original = copy.deepcopy(whole)
    once = mutated(whole)
    assert repr(whole) == repr(original)
    assert repr(_without_ours(once)) == repr(_without_ours(whole))


def _without_ours(whole: Any) -> Any:
    """Return the object without what percard writes, and without parents that are only there for it."""
    result = copy.deepcopy(whole)
    spec, metadata = result.get("spec"), result.pop("metadata", None) or {}
    if isinstance(spec, dict):
        spec.pop("schedulerName", None)
    if isinstance(metadata, dict):
        annotations = metadata.pop("annotations", None) or {}
        if isinstance(annotations, dict):
            annotations = {key: text for key, text in annotations.items() if key not in (LIMITS, MG_LIST)}
        metadata["annotations"] = annotations
    return result, metadata


@given(right_pods())
def test_a_template_gets_what_its_pod_would_get(whole: Json) -> None:
    workload = deployment(whole)
    template = patched(workload, ENGINE.examine(workload, patch_templates=True))["spec"]["template"]
    once = mutated(whole)
    assert template["spec"] == once["spec"]
    assert template["metadata"]["annotations"] == once["metadata"]["annotations"]


@given(st.data(), right_pods().filter(lambda whole: MG_LIST in (whole["metadata"].get("annotations") or {})), st.booleans())
def test_containers_that_others_add_never_change_the_cards_of_any(data: st.DataObject, whole: Json, late: bool) -> None:  # noqa: FBT001 – drawn
    before = mutated(whole)
    injected = copy.deepcopy(before if late else whole)
    containers = injected["spec"]["containers"]
    for index in range(data.draw(st.integers(1, 4))):
        containers.insert(data.draw(st.integers(0, len(containers))), container(f"proxy-{index}"))
    after = mutated(injected)
    assert json.loads(after["metadata"]["annotations"][LIMITS]) == json.loads(before["metadata"]["annotations"][LIMITS])
    assert ENGINE.examine(after, stage=Stage.VALIDATE).findings == ()
