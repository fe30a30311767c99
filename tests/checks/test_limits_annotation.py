"""percard's own annotation: what is said where it is not what the pod asks for."""

import json
from typing import Any

import pytest

from tests.support.pods import ENGINE, LIMITS, Json, alibaba, cg, huawei, mg, volcengine, xg
from tests.translation.pods import engine
from tests.translation.test_vectors import kai
from webhook.core.engine import Engine

REMOVE = "remove the annotation; the mutating webhook writes it when the pod is created"


def _said(whole: Json, containers: Any, dialect: str, by: Engine = ENGINE) -> list[str]:
    text = json.dumps({"containers": containers, "dialect": dialect})
    whole["metadata"]["annotations"] = whole["metadata"].get("annotations", {}) | {LIMITS: text}
    found = [finding for finding in by.examine(whole).errors if finding.check == "limits-annotation"]
    start, end = f"{LIMITS} does not say what the pod asks for: ", f"; {REMOVE} [limits-annotation]"
    assert all(finding.text.startswith(start) and finding.text.endswith(end) for finding in found)
    return [finding.text[len(start) : -len(end)] for finding in found]


RIGHT = {"cards": 2, "corePercent": 15, "memoryMiB": 4096}


@pytest.mark.parametrize(
    ("containers", "said"),
    [
        ({"c0": RIGHT}, []),
        ({"c0": RIGHT | {"cards": 3}}, ["cards of container 'c0' must be '2'"]),
        ({"c0": RIGHT | {"corePercent": 16}}, ["corePercent of container 'c0' must be '15'"]),
        ({"c0": RIGHT | {"memoryMiB": 8192}}, ["memoryMiB of container 'c0' must be '4096'"]),
        ({"c0": RIGHT | {"memoryAtLeast": True}}, ["memoryAtLeast of container 'c0' must be left out"]),
        ({"c0": RIGHT | {"memoryPercent": 50}}, ["memoryPercent of container 'c0' must be left out"]),
        ({"c0": RIGHT | {"whole": True}}, ["whole of container 'c0' must be left out"]),
        ({"c0": {"cards": 2, "corePercent": 15}}, ["memoryMiB of container 'c0' must be '4096'"]),
        ({"c0": 5}, ["cards of container 'c0' must be '2'"]),
        ({}, ["the containers must be 'c0'"]),
        ({"c0": RIGHT, "c1": RIGHT}, ["the containers must be 'c0'"]),
        ([], ["it is no JSON object of percard's form"]),
    ],
    ids=[
        "right",
        "cards",
        "compute",
        "memory",
        "at least",
        "percent",
        "whole",
        "lacking",
        "no mapping",
        "none",
        "one more",
        "no containers",
    ],
)
def test_the_first_figure_that_differs_is_told(containers: Any, said: list[str]) -> None:
    assert _said(huawei(count="2"), containers, "huawei") == said


def test_the_dialect_and_all_containers_are_told() -> None:
    assert _said(huawei(count="2"), {"c0": RIGHT}, "alibaba") == ["the dialect must be 'huawei'"]
    assert _said(huawei(xg(64), xg(64)), {"z": RIGHT}, "huawei") == ["the containers must be 'c0', 'c1'"]
    second = {"c0": {"cards": 1, "memoryMiB": 8192}, "c1": {"cards": 1, "memoryMiB": 1}}
    assert _said(huawei(xg(64), xg(64)), second, "huawei") == ["memoryMiB of container 'c1' must be '8192'"]


@pytest.mark.parametrize(("whole", "said"), [(True, []), (1, ["whole of container 'c0' must be 'true'"])])
def test_a_number_is_no_truth_value(*, whole: Any, said: list[str]) -> None:
    assert _said(volcengine(mg(200)), {"c0": {"cards": 2, "corePercent": 100, "whole": whole}}, "volcengine") == said


def test_what_a_card_gives_at_least_is_a_figure() -> None:
    figures = {"cards": 2, "memoryAtLeast": True, "memoryMiB": 4096}
    assert _said(alibaba(cg(8), count="2"), {"c0": figures}, "alibaba") == []
    del figures["memoryAtLeast"]
    assert _said(alibaba(cg(8), count="2"), {"c0": figures}, "alibaba") == ["memoryAtLeast of container 'c0' must be 'true'"]


@pytest.mark.parametrize(("percent", "said"), [(50, []), (51, ["memoryPercent of container 'app' must be '50'"])])
def test_a_percentage_of_memory_is_a_figure(percent: int, said: list[str]) -> None:
    obj = kai(fraction="0.5", fraction_num_devices="2")
    assert _said(obj, {"app": {"cards": 2, "memoryPercent": percent}}, "kai", engine()) == said
