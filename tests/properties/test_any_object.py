"""Whatever the object is: nothing is raised, no finding is lost to a short cut, all texts are fit to be shown."""

import dataclasses
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.generated import ALL_PODS, HOSTILE_JSON, PODS, damaged
from tests.support.kinds import argo, built_in, custom
from tests.support.pods import ENGINE, Json, as_template, engine_with, huawei
from webhook.core.engine import Engine
from webhook.core.fieldpath import printable
from webhook.core.needs import Need
from webhook.core.share import Stage

STAGES = st.sampled_from(Stage)
INJECTING = engine_with(inject_env=True, foreign_scheduler="override")
_CHECKS = [dataclasses.replace(check, needs=Need.MARKED if check.needs == Need.UNFIT else check.needs) for check in ENGINE.checks]
THOROUGH = Engine(ENGINE.dialects, _CHECKS, ENGINE.rules)
RIGHT: Json = as_template(huawei(count="2"))
OBJECTS = [whole for whole, _ in (*built_in(RIGHT).values(), *custom(RIGHT).values(), *argo(RIGHT["spec"]["containers"][0]).values())]
HOSTILE_PODS = damaged(ALL_PODS, HOSTILE_JSON)
HOSTILE_OBJECTS = damaged(st.sampled_from(OBJECTS), HOSTILE_JSON)


@given(HOSTILE_JSON, st.none() | HOSTILE_JSON, STAGES, st.booleans())
def test_no_json_value_makes_the_engine_raise(value: Any, old: Any, stage: Stage, patch_templates: bool) -> None:  # noqa: FBT001 – drawn
    for engine in (ENGINE, INJECTING):
        engine.examine(value, old, stage=stage, patch_templates=patch_templates)


@given(HOSTILE_PODS, st.none() | HOSTILE_PODS, STAGES)
def test_no_damage_to_a_pod_makes_the_engine_raise(whole: Json, old: Json | None, stage: Stage) -> None:
    for engine in (ENGINE, INJECTING):
        verdict = engine.examine(whole, old, stage=stage)
        assert not verdict.patch or not verdict.errors


@given(HOSTILE_OBJECTS, st.none() | HOSTILE_OBJECTS, STAGES)
def test_no_damage_to_a_workload_makes_the_engine_raise(whole: Json, old: Json | None, stage: Stage) -> None:
    for engine in (ENGINE, INJECTING):
        verdict = engine.examine(whole, old, stage=stage, patch_templates=True)
        assert not verdict.patch or old is None


@given(damaged(), STAGES)
def test_a_pod_that_is_taken_to_be_right_without_a_closer_look_is_right(whole: Json, stage: Stage) -> None:
    assert ENGINE.examine(whole, stage=stage).findings == THOROUGH.examine(whole, stage=stage).findings


@given(PODS)
def test_a_generated_pod_that_is_taken_to_be_right_is_right(whole: Json) -> None:
    assert ENGINE.examine(whole).findings == THOROUGH.examine(whole).findings


@given(damaged())
def test_every_finding_can_be_shown_on_one_line_and_points_into_the_object(whole: Json) -> None:
    for finding in ENGINE.examine(whole).findings:
        assert printable(finding.text) == finding.text
        assert finding.text.endswith(f"[{finding.check}]")
        assert finding.value is None or len(finding.value) <= 64
        _assert_leads_somewhere(whole, finding.path.parts, missing=finding.value is None)


def _assert_leads_somewhere(whole: Any, parts: tuple[str | int, ...], *, missing: bool) -> None:
    value = whole
    for place, part in enumerate(parts):
        if isinstance(value, dict) and part not in value:
            assert missing, f"{parts[place:]} is not there"
            return
        value = value[part] if isinstance(value, dict) else value[int(part)]


@pytest.mark.parametrize("stage", Stage)
def test_nesting_without_end_is_survived_in_every_part(stage: Stage) -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    for part in ("labels", "annotations"):
        whole = huawei(count="2")
        whole["metadata"][part] = {"volcano.sh/gpu-num": deep, "percard.webhook/limits": deep, "x": deep}
        other = huawei(count="2", nodeName="n1")
        other["metadata"][part] = {"volcano.sh/gpu-num": [deep], "percard.webhook/limits": deep, "x": [deep]}
        ENGINE.examine(whole, stage=stage)
        ENGINE.examine(whole, other)
    assert ENGINE.examine(json.loads("[" * 900 + "]" * 900)).findings == ()
