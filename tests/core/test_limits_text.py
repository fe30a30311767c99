"""The annotation that says what each card gives: the text that is written, the text that is accepted."""

import json
from typing import Any

import pytest

from tests.support.pods import ENGINE, LIMITS, Json, alibaba, cg, errors, huawei, mg, mutated, pod, volcengine, xg
from webhook.core.share import Stage

# What each dialect's right pod is told its cards give, worked out by hand.
TEXTS: dict[str, tuple[Json, str]] = {
    "Volcengine's example": (
        volcengine(mg(30, 4096), count="2"),
        '{"containers":{"c0":{"cards":2,"corePercent":15,"memoryMiB":2048}},"dialect":"volcengine"}',
    ),
    "Huawei's example": (huawei(xg(64), count="2"), '{"containers":{"c0":{"cards":2,"memoryMiB":4096}},"dialect":"huawei"}'),
    "Alibaba's example": (
        alibaba(cg(8), count="2"),
        '{"containers":{"c0":{"cards":2,"memoryAtLeast":true,"memoryMiB":4096}},"dialect":"alibaba"}',
    ),
    "whole cards of Volcengine": (
        volcengine(mg(300)),
        '{"containers":{"c0":{"cards":3,"corePercent":100,"whole":true}},"dialect":"volcengine"}',
    ),
    "whole cards of Huawei, whose memory is then no limit": (
        huawei(xg(64, 200), count="2"),
        '{"containers":{"c0":{"cards":2,"corePercent":100,"whole":true}},"dialect":"huawei"}',
    ),
    "all compute of an Alibaba card, whose memory stays": (
        alibaba(cg(8, 100)),
        '{"containers":{"c0":{"cards":1,"corePercent":100,"memoryAtLeast":true,"memoryMiB":8192}},"dialect":"alibaba"}',
    ),
    "TFLOPS, which are no per cent": (
        alibaba(cg(8, None, 5)),
        '{"containers":{"c0":{"cards":1,"memoryAtLeast":true,"memoryMiB":8192}},"dialect":"alibaba"}',
    ),
    "containers that ask for different shares, and one for none": (
        volcengine(mg(40, 4096), None, mg(100), count="2,0,1"),
        '{"containers":{"c0":{"cards":2,"corePercent":20,"memoryMiB":2048},"c2":{"cards":1,"corePercent":100,"whole":true}},"dialect":"volcengine"}',
    ),
    "9 GiB over three cards, without a float's tail": (
        alibaba(cg("9.0"), count="3"),
        '{"containers":{"c0":{"cards":3,"memoryAtLeast":true,"memoryMiB":3072}},"dialect":"alibaba"}',
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_the_annotation_says_what_each_card_gives(name: str) -> None:
    whole, text = TEXTS[name]
    written = mutated(whole)["metadata"]["annotations"][LIMITS]
    assert written == text
    assert written == json.dumps(json.loads(written), sort_keys=True, separators=(",", ":"))


def test_containers_stand_in_the_annotation_by_name_whatever_their_order() -> None:
    whole = huawei(xg(64), xg(128))
    whole["spec"]["containers"][0]["name"] = "z"
    assert mutated(whole)["metadata"]["annotations"][LIMITS].index('"c1"') < mutated(whole)["metadata"]["annotations"][LIMITS].index('"z"')


@pytest.mark.parametrize(
    "name",
    ['a"b', "a\\b", "é", "a\ud800", "a\nb", "a" * 63],
    ids=["a quote", "a backslash", "an accent", "half a character", "a line feed", "the longest"],
)
def test_any_name_of_a_container_is_valid_json_in_utf_8(name: str) -> None:
    whole = huawei(xg(64))
    whole["spec"]["containers"][0]["name"] = name
    text = mutated(whole)["metadata"]["annotations"][LIMITS]
    assert list(json.loads(text.encode().decode())["containers"]) == [name]


GOOD = '{"containers":{"c0":{"cards":2,"corePercent":15,"memoryMiB":4096}},"dialect":"huawei"}'
SAME = [
    GOOD,
    '{"dialect": "huawei", "containers": {"c0": {"memoryMiB": 4096, "cards": 2, "corePercent": 15}}}',
    GOOD.replace("4096", "4096.0"),
    GOOD.replace('"cards":2', '"cards":2,"later":"field"'),
    GOOD[:-1] + ',"version":2}',
    GOOD.replace('"cards":2', '"cards":2,"whole":null'),
]
TAMPERED: dict[str, Any] = {
    "more cards": GOOD.replace('"cards":2', '"cards":4'),
    "more compute": GOOD.replace("15", "30"),
    "more memory": GOOD.replace("4096", "8192"),
    "memory as text": GOOD.replace("4096", '"4096"'),
    "cards as true": GOOD.replace('"cards":2', '"cards":true'),
    "no cards": GOOD.replace('"cards":2,', ""),
    "a whole card": GOOD.replace('"cards":2', '"cards":2,"whole":true'),
    "a lower bound": GOOD.replace('"cards":2', '"cards":2,"memoryAtLeast":true'),
    "another container": GOOD.replace("c0", "c1"),
    "one container more": GOOD.replace('{"c0"', '{"c1":{},"c0"'),
    "no container": '{"containers":{},"dialect":"huawei"}',
    "containers that are a list": '{"containers":[],"dialect":"huawei"}',
    "a container that is none": '{"containers":{"c0":2},"dialect":"huawei"}',
    "another dialect": GOOD.replace("huawei", "alibaba"),
    "no dialect": GOOD.replace('"dialect":"huawei"', '"a":1'),
    "a list": "[]",
    "no JSON": "{",
    "nothing": "",
    "nesting without end": "[" * 100_000,
    "a number without end": GOOD.replace("4096", "1" * 5000),
    "a number instead of text": 5,
    "null instead of text": None,
}


@pytest.mark.parametrize("text", SAME)
def test_figures_are_compared_and_not_bytes(text: str) -> None:
    whole = pod(xg(64, 30), labels={"volcano.sh/gpu-num": "2"}, annotations={LIMITS: text}, schedulerName="volcano")
    assert errors(whole, stage=Stage.VALIDATE) == set()
    assert mutated(whole)["metadata"]["annotations"] == {LIMITS: GOOD}


@pytest.mark.parametrize("name", TAMPERED)
def test_an_annotation_that_says_something_else_is_refused_but_overwritten_by_the_mutating_webhook(name: str) -> None:
    whole = pod(xg(64, 30), labels={"volcano.sh/gpu-num": "2"}, annotations={LIMITS: TAMPERED[name]}, schedulerName="volcano")
    (finding,) = ENGINE.examine(whole, stage=Stage.VALIDATE).errors
    assert (finding.check, finding.path.parts) == ("limits-annotation", ("metadata", "annotations", LIMITS))
    assert ENGINE.examine(whole, stage=Stage.MUTATE).findings == ()
    assert mutated(whole)["metadata"]["annotations"] == {LIMITS: GOOD}


def test_a_tampered_lower_bound_is_refused() -> None:
    result = mutated(alibaba(cg(8), count="2"))
    text = result["metadata"]["annotations"][LIMITS]
    result["metadata"]["annotations"][LIMITS] = text.replace('"memoryAtLeast":true,', "")
    assert errors(result, stage=Stage.VALIDATE) == {"limits-annotation"}


@pytest.mark.parametrize(("right", "wrong"), [('"cards":1', '"cards":true'), ('"whole":true', '"whole":1')])
def test_true_is_no_count_and_1_is_no_truth(right: str, wrong: str) -> None:
    result = mutated(huawei(xg(64, 100)))
    text = result["metadata"]["annotations"][LIMITS]
    assert right in text
    result["metadata"]["annotations"][LIMITS] = text.replace(right, wrong)
    assert errors(result, stage=Stage.VALIDATE) == {"limits-annotation"}
