"""The examples: what each card gives, the exact patch, and the answer to each mistake."""

import copy
import json
import re
from fractions import Fraction
from typing import Any

import jsonpatch
import pytest

from tests.acceptance import examples
from tests.acceptance.expected import CARDS, LIST, MISTAKES, ONLY_WARNED, PATCHES
from tools.apiserver import patch_of, pod_of, review
from webhook import Engine, Finding, build_engine
from webhook.admission.handler import Handler
from webhook.admission.scope import Endpoint

COUNT = {
    "volcengine": ("annotations", LIST),
    "huawei": ("labels", "volcano.sh/gpu-num"),
    "alibaba": ("labels", "aliyun.com/gpu-count"),
}


@pytest.fixture(scope="module")
def engine() -> Engine:
    return build_engine()


def admitted(engine: Engine, endpoint: Endpoint, obj: dict[str, Any]) -> dict[str, Any]:
    answer = Handler(engine, "1.2.3").respond(endpoint, json.dumps(review(obj)).encode())
    response: dict[str, Any] = json.loads(answer.body)["response"]
    return response


def test_every_example_is_in_one_of_the_tables() -> None:
    assert [*sorted(CARDS | MISTAKES)] == examples.names()


@pytest.mark.parametrize("name", CARDS)
def test_each_card_gives_what_the_vendor_says(engine: Engine, name: str) -> None:
    cards, memory_mib, core_percent = CARDS[name]
    verdict = engine.examine(examples.load(name))
    (share,) = verdict.pods[0].shares
    assert verdict.findings == ()
    assert share.cards == cards
    assert share.per_card(share.memory_mib) == memory_mib
    assert share.per_card(share.core_percent) == core_percent


@pytest.mark.parametrize("name", CARDS)
def test_a_workload_is_allowed_and_never_patched(engine: Engine, name: str) -> None:
    workload = examples.load(name)
    assert patch_of(admitted(engine, "mutate", workload)) == []
    assert admitted(engine, "validate", workload)["allowed"] is True


@pytest.mark.parametrize("name", PATCHES)
def test_its_pod_gets_exactly_this_patch_once_and_is_then_allowed(engine: Engine, name: str) -> None:
    pod = pod_of(examples.load(name))
    operations = patch_of(admitted(engine, "mutate", pod))
    assert operations == PATCHES[name]
    after = jsonpatch.apply_patch(pod, operations)
    again = admitted(engine, "mutate", after)
    assert "patch" not in again
    assert "patchType" not in again
    validated = admitted(engine, "validate", after)
    assert validated["allowed"] is True
    assert "warnings" not in validated


@pytest.mark.parametrize("name", MISTAKES)
def test_each_mistake_has_its_check_path_arithmetic_and_way_out(engine: Engine, name: str) -> None:
    findings = {(finding.check, str(finding.path)): finding for finding in engine.examine(examples.load(name)).findings}
    assert findings.keys() == {(check, path) for check, path, *_ in MISTAKES[name]}
    for check, path, arithmetic, values, counts in MISTAKES[name]:
        finding = findings[check, path]
        assert arithmetic in finding.message
        assert written_values(finding) == values
        assert card_counts(finding) == counts


@pytest.mark.parametrize("name", MISTAKES)
def test_the_comment_at_the_top_says_what_percard_answers(engine: Engine, name: str, *, rewrite_golden: bool) -> None:
    findings = engine.examine(examples.load(name)).findings
    if rewrite_golden:
        examples.promise(name, findings)
    assert sorted(examples.promised(name)) == sorted((finding.severity, str(finding.path), finding.text) for finding in findings)


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_denied_with_one_cause_for_each_finding(engine: Engine, name: str) -> None:
    response = admitted(engine, "validate", examples.load(name))
    if name in ONLY_WARNED:
        assert response["allowed"] is True
        assert [text.rpartition(" ")[2] for text in response["warnings"]] == [f"[{check}]" for check, *_ in MISTAKES[name]]
        return
    assert response["allowed"] is False
    assert response["status"]["code"] == 422
    causes = [(cause["field"], cause["message"].rpartition(" ")[2]) for cause in response["status"]["details"]["causes"]]
    assert sorted(causes) == sorted((path, f"[{check}]") for check, path, *_ in MISTAKES[name])


WAYS_OUT = [
    (name, way) for name, mistakes in MISTAKES.items() if len(mistakes) == 1 for way in (*mistakes[0][3], *mistakes[0][4]) if way != "N,0"
]


@pytest.mark.parametrize(("name", "way"), WAYS_OUT)
def test_whoever_writes_what_the_answer_says_is_rid_of_it(engine: Engine, name: str, way: str | int) -> None:
    obj = examples.load(name)
    (finding,) = engine.examine(obj).findings
    repaired = with_count(obj, finding, way) if isinstance(way, int) else with_value(obj, finding, way)
    assert engine.examine(repaired).findings == ()


def written_values(finding: Finding) -> list[str]:
    return re.findall(r'"([^"]+)"', finding.hint)


def card_counts(finding: Finding) -> list[int]:
    asked = re.search(r"ask for ([0-9 or,]+) cards?$", finding.hint)
    return [int(count) for count in re.findall(r"[0-9]+", asked[1])] if asked else []


def with_value(obj: dict[str, Any], finding: Finding, value: str) -> dict[str, Any]:
    repaired = copy.deepcopy(obj)
    *parents, bag, key = finding.path.parts
    parent: Any = repaired
    for part in parents:
        parent = parent[part]
    parent[bag][key] = value
    if key in parent.get("requests", {}):
        parent["requests"][key] = value
    return repaired


def with_count(obj: dict[str, Any], finding: Finding, cards: int) -> dict[str, Any]:
    repaired = copy.deepcopy(obj)
    place, key = COUNT[finding.dialect]
    repaired["spec"]["template"]["metadata"][place][key] = str(cards)
    return repaired


def test_a_scaled_gib_is_a_lower_bound_of_the_1024_mib_that_it_is_called(engine: Engine) -> None:
    # ACK shows 4309 MiB on each card of 16160 MiB for 4 of its 15 units: floor(16160 × 4 / 15)
    (gpu,) = engine.examine(examples.load("alibaba/job.yaml")).pods
    assert gpu.dialect.memory_is_lower_bound
    assert Fraction(4096) <= Fraction(16160 * 4, 15) // 1 == 4309
