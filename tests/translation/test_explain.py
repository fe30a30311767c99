"""What stands in a manifest as a percentage of a card's memory is told as such."""

import json

from tests.cli.program import percard
from tests.translation.pods import pod

POD = pod(
    {"nvidia.com/gpu": 2, "nvidia.com/gpumem-percentage": 25, "nvidia.com/gpucores": 15},
    {"nvidia.com/gpu": 1, "nvidia.com/gpumem": 1000},
    schedulerName="hami-scheduler",
)


def test_explain_tells_the_percentage_and_no_size() -> None:
    done = percard("explain", "-o", "json", "-", stdin=json.dumps(POD), PERCARD_DIALECTS__HAMI__ENABLED="true")
    first, second = json.loads(done.stdout)["pods"][0]["containers"]
    assert first["perCard"] == {"memoryMiB": None, "corePercent": 15, "memoryPercent": 25}
    assert second["perCard"] == {"memoryMiB": 1000, "corePercent": None}
    table = percard("explain", "-", stdin=json.dumps(POD), PERCARD_DIALECTS__HAMI__ENABLED="true").stdout
    assert "25 % of a card" in table


def test_the_annotation_tells_the_percentage_too() -> None:
    done = percard("patch", "-o", "json", "-", stdin=json.dumps(POD), PERCARD_DIALECTS__HAMI__ENABLED="true")
    limits = json.loads(json.loads(done.stdout)["metadata"]["annotations"]["percard.webhook/limits"])
    assert limits["containers"] == {"app": {"cards": 2, "corePercent": 15, "memoryPercent": 25}, "app-1": {"cards": 1, "memoryMiB": 1000}}
