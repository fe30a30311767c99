"""For any count, memory and compute the verdict is what a few lines of arithmetic say, and every hint is right."""

import copy
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.generated import COUNTS, PERCENTS, spellings
from tests.support.pods import (
    CG_CORE,
    CG_COUNT,
    CG_MEMORY,
    ENGINE,
    MG_CORE,
    MG_LIST,
    MG_MEMORY,
    MG_POLICY,
    XG_CORE,
    XG_COUNT,
    XG_MEMORY,
    Json,
    alibaba,
    cg,
    errors,
    huawei,
    mg,
    volcengine,
    xg,
)
from webhook.core.finding import Finding

MIB = st.integers(1, 70_000) | st.integers(1, 80).map(lambda gib: 1024 * gib) | st.integers(2**20 - 2, 2**27)
BLOCKS = st.integers(1, 700) | st.integers(8190, 600_000)
GIB = st.integers(1, 200) | st.integers(1020, 70_000)
CARDS = st.none() | COUNTS
_LEAST, _MOST, _MOST_CARDS, _CARD = 1024, 1024**2, 64, 100


def _amounts(mib: int | None, percent: int | None, cards: int, steps: tuple[int, int], least: int) -> set[str]:
    """Return what is wrong with a total of MiB and percent over some cards."""
    return {
        name
        for name, wrong in {
            "memory-step": mib is not None and mib % (cards * steps[0]) != 0,
            "memory-range": mib is not None and not cards * least <= mib <= cards * _MOST,
            "core-step": percent is not None and percent % (cards * steps[1]) != 0,
            "core-range": percent is not None and not cards <= percent <= cards * _CARD,
        }.items()
        if wrong
    }


@given(CARDS, MIB | st.none(), PERCENTS | st.none())
def test_volcengine_is_plain_arithmetic(cards: int | None, mib: int | None, percent: int | None) -> None:
    if mib is None and percent is None:
        return
    whole = percent is not None and percent % _CARD == 0 and cards in (None, percent // _CARD)
    expected = set() if whole else _amounts(mib, percent, cards or 1, (1, 1), 256 if cards is None else _LEAST)
    expected |= {"whole-card-memory"} if whole and mib is not None else set()
    expected |= {"memory-missing"} if not whole and mib is None else set()
    expected |= {"core-missing"} if percent is None else set()
    expected = {"card-count"} | (expected & {"core-missing"}) if cards is not None and cards > _MOST_CARDS else expected
    found = errors(volcengine(mg(percent, mib), count=None if cards is None else str(cards)))
    assert found - {"memory-missing"} == expected - {"memory-missing"}
    assert found == expected or (cards or 0) > _MOST_CARDS


@given(CARDS, BLOCKS | st.none(), PERCENTS | st.none())
def test_huawei_is_plain_arithmetic(cards: int | None, blocks: int | None, percent: int | None) -> None:
    if blocks is None and percent is None:
        return
    expected = _amounts(None if blocks is None else 128 * blocks, percent, cards or 1, (128, 5), 128)
    expected = {"card-count"} if (cards or 1) > _MOST_CARDS else expected
    expected |= {"memory-missing"} if blocks is None else set()
    assert errors(huawei(xg(blocks, percent), count=None if cards is None else str(cards))) == expected


@given(CARDS, GIB | st.none(), PERCENTS | st.none())
def test_alibaba_is_plain_arithmetic(cards: int | None, gib: int | None, percent: int | None) -> None:
    if gib is None and percent is None:
        return
    expected = _amounts(None if gib is None else 1024 * gib, percent, cards or 1, (1024, 5), 1024)
    if (cards or 1) > 1 and percent is not None:
        too_much = {"core-range"} if percent > (cards or 1) * _CARD else set()
        expected = (expected - {"core-step", "core-range"}) | {"compute-unsupported"} | too_much
    expected = {"card-count"} if (cards or 1) > _MOST_CARDS else expected
    expected |= {"memory-missing"} if gib is None else set()
    assert errors(alibaba(cg(gib, percent), count=None if cards is None else str(cards))) == expected


@given(st.data(), CARDS, st.integers(1, 100_000), PERCENTS | st.none(), st.sampled_from([volcengine, huawei, alibaba]))
def test_a_verdict_does_not_depend_on_how_numbers_are_spelt(
    data: st.DataObject, cards: int | None, memory: int, percent: int | None, build: Any
) -> None:
    limits = {volcengine: mg(percent, memory), huawei: xg(memory, percent), alibaba: cg(memory, percent)}[build]
    plain = build(limits, count=None if cards is None else str(cards))
    spelt = copy.deepcopy(plain)
    resources = spelt["spec"]["containers"][0]["resources"]
    resources["limits"] = {key: data.draw(spellings(number)) for key, number in limits.items()}
    resources["requests"] = {key: data.draw(spellings(number)) for key, number in limits.items()}
    assert _verdict(spelt) == _verdict(plain)


def _verdict(whole: Json) -> tuple[Any, ...]:
    """Return all that must not depend on the spelling; over the maximum a suffix makes a wrong number a wrong unit."""
    verdict = ENGINE.examine(whole)
    too_much = {finding.path for finding in verdict.findings if finding.check in ("quantity", "memory-range", "core-range")}
    rest = {finding for finding in verdict.findings if finding.path not in too_much}
    return too_much, {(finding.check, finding.severity, finding.container, finding.path) for finding in rest}, verdict.patch


KEYS: dict[Any, tuple[str, str, str, str]] = {
    volcengine: (MG_MEMORY, MG_CORE, "annotations", MG_LIST),
    huawei: (XG_MEMORY, XG_CORE, "labels", XG_COUNT),
    alibaba: (CG_MEMORY, CG_CORE, "labels", CG_COUNT),
}
_WRITE = re.compile(r'"([0-9]+)"( without memory)?')
_ASK = re.compile(r"ask for ([0-9]+)(?: or ([0-9]+))? cards?")


@pytest.mark.parametrize("build", KEYS)
@given(CARDS, st.integers(1, 40_000), PERCENTS | st.none())
def test_what_a_hint_says_to_write_is_right(build: Any, cards: int | None, memory: int, percent: int | None) -> None:
    limits = {volcengine: mg(percent, memory), huawei: xg(memory, percent), alibaba: cg(memory, percent)}[build]
    whole = build(limits, count=None if cards is None else str(cards))
    for finding in ENGINE.examine(whole).errors:
        kind = finding.check.partition("-")[0]
        if finding.check in ("memory-step", "memory-range", "core-step", "core-range"):
            for better in [*_written(whole, finding, build), *_counted(whole, finding, build)]:
                assert not {f"{kind}-step", f"{kind}-range", "whole-card-memory"} & errors(better), (finding.hint, better)


def _written(whole: Json, finding: Finding, build: Any) -> list[Json]:
    results = []
    for value, without in _WRITE.findall(finding.hint):
        better = copy.deepcopy(whole)
        limits = better["spec"]["containers"][0]["resources"]["limits"]
        limits[finding.path.parts[-1]] = value
        if without:
            del limits[KEYS[build][0]]
        results.append(better)
    return results


def _counted(whole: Json, finding: Finding, build: Any) -> list[Json]:
    match = _ASK.search(finding.hint)
    _, _, place, key = KEYS[build]
    results = []
    for count in filter(None, match.groups() if match else ()):
        better = copy.deepcopy(whole)
        better["metadata"][place] = {key: count} | ({MG_POLICY: "native-burst-share"} if build is volcengine else {})
        assert not {"memory-step", "memory-range", "core-step", "core-range"} & errors(better), (finding.hint, better)
        results.append(better)
    return results
