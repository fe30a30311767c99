"""Limits hold the truth: a request equals its limit or is left out, and never stands alone."""

from typing import Any

import pytest

from tests.support.pods import CG_MEMORY, ENGINE, MG_CORE, MG_MEMORY, XG_CORE, XG_MEMORY, Json, pod

# A right container of each dialect, and the key whose request a test changes.
RIGHT: dict[str, tuple[Json, str]] = {
    "volcengine": ({MG_CORE: "30", MG_MEMORY: "4k"}, MG_MEMORY),
    "huawei": ({XG_MEMORY: "64", XG_CORE: "30"}, XG_MEMORY),
    "alibaba": ({CG_MEMORY: "8"}, CG_MEMORY),
}
SAME: dict[str, list[Any]] = {
    "volcengine": ["4k", "4000", "4e3", 4000, "4000000m", 4000.0],
    "huawei": ["64", 64, "64.0", "64000m", "6.4e1", 64.0],
    "alibaba": ["8", 8, "8.0", "8000m", "8e0", 8.0],
}


def _pod(limits: Json, requests: Json | None) -> Json:
    whole = pod(limits or None)
    whole["spec"]["containers"][0].setdefault("resources", {})["requests"] = requests
    return whole


@pytest.mark.parametrize("dialect", RIGHT)
def test_limits_alone_are_fine(dialect: str) -> None:
    limits, _ = RIGHT[dialect]
    for requests in (None, {}, {"cpu": "1"}):
        assert ENGINE.examine(_pod(limits, requests)).findings == ()


@pytest.mark.parametrize("dialect", RIGHT)
def test_a_request_that_is_the_same_number_is_fine_however_it_is_spelt(dialect: str) -> None:
    limits, key = RIGHT[dialect]
    assert [request for request in SAME[dialect] if ENGINE.examine(_pod(limits, {key: request})).findings] == []


@pytest.mark.parametrize("dialect", RIGHT)
@pytest.mark.parametrize("request_as_written", ["1", "128", 0, "-1", "abc", None, True, [], {}, 10**500, ""])
def test_a_request_that_is_another_number_is_refused_where_it_stands(dialect: str, request_as_written: Any) -> None:
    limits, key = RIGHT[dialect]
    (finding,) = ENGINE.examine(_pod(limits, {key: request_as_written})).errors
    assert finding.check == "requests-limits"
    assert str(finding.path) == f"spec.containers[0].resources.requests[{key}]"
    assert f"write '{limits[key]}'" in finding.hint


@pytest.mark.parametrize("dialect", RIGHT)
def test_each_request_without_its_limit_is_refused_and_still_judged(dialect: str) -> None:
    requests, key = RIGHT[dialect]
    verdict = ENGINE.examine(_pod({}, requests))
    assert {(finding.check, str(finding.path)) for finding in verdict.errors} == {
        ("requests-limits", f"spec.containers[0].resources.limits[{name}]") for name in requests
    }
    assert {finding.reason for finding in verdict.errors} == {"FieldValueRequired"}
    wrong = ENGINE.examine(_pod({}, requests | {key: "1.5"}))
    assert ("quantity", f"spec.containers[0].resources.requests[{key}]") in {(found.check, str(found.path)) for found in wrong.errors}


def test_an_unreadable_limit_is_told_once_not_once_for_its_request_too() -> None:
    verdict = ENGINE.examine(_pod({XG_MEMORY: "abc"}, {XG_MEMORY: "64"}))
    assert [finding.check for finding in verdict.errors] == ["quantity"]


def test_requests_of_other_resources_are_not_looked_at() -> None:
    limits = {XG_MEMORY: 64, "cpu": "2", "memory": "4Gi", "example.com/thing": 1}
    assert ENGINE.examine(_pod(limits, {"cpu": "1", "memory": "1Gi", "example.com/thing": 2})).findings == ()


def test_a_request_of_more_digits_than_python_prints_is_refused_like_any_other() -> None:
    (finding,) = ENGINE.examine(_pod({XG_MEMORY: "64"}, {XG_MEMORY: 10**5000})).errors
    assert (finding.check, finding.value) == ("requests-limits", "a number of more than 64 digits")
