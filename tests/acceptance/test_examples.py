"""The examples: what each card gives, the exact patch, and the answer to each mistake."""

import copy
import json
import re
from fractions import Fraction
from typing import Any

import jsonpatch
import pytest

from tests.acceptance import examples
from tools.apiserver import patch_of, pod_of, review
from webhook import Engine, Finding, build_engine
from webhook.admission.handler import Handler
from webhook.admission.scope import Endpoint

MEMORY = {
    "volcengine": "vke.volcengine.com/mgpu-memory",
    "huawei": "volcano.sh/gpu-mem.128Mi",
    "alibaba": "aliyun.com/gpu-mem",
}
CORE = {
    "volcengine": "vke.volcengine.com/mgpu-core",
    "huawei": "volcano.sh/gpu-core.percentage",
    "alibaba": "aliyun.com/gpu-core.percentage",
}
LIST = "vke.volcengine.com/container-multiple-gpu"
COUNT = {
    "volcengine": ("annotations", LIST),
    "huawei": ("labels", "volcano.sh/gpu-num"),
    "alibaba": ("labels", "aliyun.com/gpu-count"),
}
POLICY = "vke.volcengine.com/mgpu-compute-policy"

# Cards, MiB of each card, percent of each card: 4096 MiB and 30 % over 2; 64 × 128 MiB over 2, without and with 30 %; 8 GiB over 2.
CARDS: dict[str, tuple[int, int, int | None]] = {
    "volcengine/deployment.yaml": (2, 2048, 15),
    "huawei/deployment.yaml": (2, 4096, None),
    "huawei/without-scheduler.yaml": (2, 4096, 15),
    "alibaba/job.yaml": (2, 4096, None),
}

LIMITS = "percard.webhook/limits"
PATCHES: dict[str, list[dict[str, Any]]] = {
    "volcengine/deployment.yaml": [
        {
            "op": "add",
            "path": "/metadata/annotations/percard.webhook~1limits",
            "value": '{"containers":{"worker":{"cards":2,"corePercent":15,"memoryMiB":2048}},"dialect":"volcengine"}',
        }
    ],
    "huawei/deployment.yaml": [
        {
            "op": "add",
            "path": "/metadata/annotations",
            "value": {LIMITS: '{"containers":{"worker":{"cards":2,"memoryMiB":4096}},"dialect":"huawei"}'},
        }
    ],
    "huawei/without-scheduler.yaml": [
        {"op": "replace", "path": "/spec/schedulerName", "value": "volcano"},
        {
            "op": "add",
            "path": "/metadata/annotations",
            "value": {LIMITS: '{"containers":{"worker":{"cards":2,"corePercent":15,"memoryMiB":4096}},"dialect":"huawei"}'},
        },
    ],
    "alibaba/job.yaml": [
        {
            "op": "add",
            "path": "/metadata/annotations",
            "value": {LIMITS: '{"containers":{"worker":{"cards":2,"memoryAtLeast":true,"memoryMiB":4096}},"dialect":"alibaba"}'},
        }
    ],
}

_FIRST, _SECOND = ("spec.template.spec.containers[0]", "spec.template.spec.containers[1]")
# Check id, field path, arithmetic or what else is wrong, what to write instead, card counts that would do.
Mistake = tuple[str, str, str, list[str], list[int]]
MISTAKES: dict[str, list[Mistake]] = {
    # 4096 = 3 × 1365 + 1; 4096 / 2 divides, 30 / 4 does not, and 5 and more cards would get less than 1024 MiB each
    "volcengine/uneven-memory.yaml": [
        (
            "memory-step",
            f"{_FIRST}.resources.limits[{MEMORY['volcengine']}]",
            "4096 MiB over 3 cards, 1365 1/3 MiB each",
            ["4095", "4098"],
            [2],
        )
    ],
    # 1536 / 2 = 768, below 1024; 2 × 1024 = 2048; one card would get all 1536
    "volcengine/too-little-memory.yaml": [
        ("memory-range", f"{_FIRST}.resources.limits[{MEMORY['volcengine']}]", "1536 MiB over 2 cards, 768 MiB each", ["2048"], [1])
    ],
    # 4 × 1024³ taken as a count of MiB; 4 GiB are 4096 MiB
    "volcengine/memory-with-unit.yaml": [
        ("quantity", f"{_FIRST}.resources.limits[{MEMORY['volcengine']}]", "'4Gi' is 4294967296 MiB", ["4096"], [])
    ],
    "volcengine/list-too-long.yaml": [
        ("card-list", f"spec.template.metadata.annotations[{LIST}]", "3 entries for 2 containers ('worker', 'metrics')", ["N,0"], [])
    ],
    "volcengine/other-policy.yaml": [
        ("compute-policy", f"spec.template.metadata.annotations[{POLICY}]", "'fixed-share'", ["native-burst-share"], [])
    ],
    # 1 % on each of 2 cards
    "volcengine/memory-without-compute.yaml": [
        ("core-missing", f"{_FIRST}.resources.limits[{CORE['volcengine']}]", "memory without compute", ["2"], [])
    ],
    # 64 × 128 = 8192; 63 / 3 = 21 and 66 / 3 = 22 blocks; 64 / 2 and 64 / 4 divide
    "huawei/uneven-memory.yaml": [
        (
            "memory-step",
            f"{_FIRST}.resources.limits[{MEMORY['huawei']}]",
            "8192 MiB over 3 cards, 2730 2/3 MiB each",
            ["63", "66"],
            [2, 4],
        )
    ],
    # 5 % on each of 2 cards are 10; 0 is no share
    "huawei/uneven-compute.yaml": [
        ("core-step", f"{_FIRST}.resources.limits[{CORE['huawei']}]", "5 % over 2 cards, 2 1/2 % each", ["10"], [1])
    ],
    # 1 block on each of 2 cards
    "huawei/compute-without-memory.yaml": [
        ("memory-missing", f"{_FIRST}.resources.limits[{MEMORY['huawei']}]", "compute without memory", ["2"], [])
    ],
    "huawei/whole-card-beside-share.yaml": [
        ("excluded-resource", f"{_SECOND}.resources.limits[nvidia.com/gpu]", "nvidia.com/gpu '1' asks for whole cards", [], [])
    ],
    "huawei/foreign-scheduler.yaml": [("scheduler-conflict", "spec.template.spec.schedulerName", "'kai-scheduler'", [], [])],
    "huawei/two-clouds.yaml": [
        ("mixed-dialects", f"{_FIRST}.resources.limits[{MEMORY['alibaba']}]", f"beside {MEMORY['huawei']} of Huawei", [], [])
    ],
    # 63 × 128 = 8064, half of it is 31 1/2 blocks; half of 25 % is 12 1/2 %; 8 GiB are 64 blocks
    "huawei/five-mistakes.yaml": [
        (
            "memory-step",
            f"spec.containers[0].resources.limits[{MEMORY['huawei']}]",
            "8064 MiB over 2 cards, 4032 MiB each",
            ["62", "64"],
            [],
        ),
        ("core-step", f"spec.containers[0].resources.limits[{CORE['huawei']}]", "25 % over 2 cards, 12 1/2 % each", ["20", "30"], []),
        ("memory-missing", f"spec.containers[1].resources.limits[{MEMORY['huawei']}]", "compute without memory", ["2"], []),
        ("quantity", f"spec.containers[2].resources.limits[{MEMORY['huawei']}]", "'8Gi' is 8589934592 blocks", ["64"], []),
        ("excluded-resource", "spec.containers[2].resources.limits[nvidia.com/gpu]", "nvidia.com/gpu '1' asks for whole cards", [], []),
    ],
    # whole GiB only: 6 / 3 = 2 and 9 / 3 = 3; 8 / 2 and 8 / 4 divide
    "alibaba/uneven-memory.yaml": [
        (
            "memory-step",
            f"{_FIRST}.resources.limits[{MEMORY['alibaba']}]",
            "8192 MiB over 3 cards, 2730 2/3 MiB each",
            ["6", "9"],
            [2, 4],
        )
    ],
    "alibaba/compute-over-two-cards.yaml": [
        ("compute-unsupported", f"{_FIRST}.resources.limits[{CORE['alibaba']}]", "'30' asks for compute on 2 cards", [], [])
    ],
    "alibaba/memory-with-unit.yaml": [
        ("quantity", f"{_FIRST}.resources.limits[{MEMORY['alibaba']}]", "'8Gi' is 8589934592 GiB", ["8"], [])
    ],
    "alibaba/count-on-the-job.yaml": [("misplaced-key", "metadata.labels[aliyun.com/gpu-count]", "the labels of the Job", [], [])],
}
ONLY_WARNED = {"alibaba/count-on-the-job.yaml"}


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
