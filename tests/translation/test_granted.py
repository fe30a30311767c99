"""The annotation of a rewritten pod: what each card gives in the target, byte for byte."""

import pytest

from tests.translation.pods import Object, huawei, pod, volcengine
from tests.translation.test_target import engine_for
from tests.translation.test_vectors import hami, kai
from webhook.core.conversion import Converter

LIMITS = "percard.webhook/limits"


def granted(target: str, obj: Object) -> str:
    """Return the containers of percard's annotation on a pod that is converted."""
    obj["metadata"]["annotations"][LIMITS] = "{}"
    engine = engine_for(target, checks__limits_annotation__severity="off").knowing_all()  # what it said before is not asked here
    known = next(found for found in engine.dialects if found.id == target)
    text: str = Converter(engine, known, allow_loss=True).convert(obj).data["metadata"]["annotations"][LIMITS]
    start, end = '{"containers":', f',"dialect":"{target}"}}'
    assert text.startswith(start)
    assert text.endswith(end)
    return text[len(start) : -len(end)]


@pytest.mark.parametrize(
    ("target", "obj", "figures"),
    [
        ("hami", huawei((64, 30), cards=2), '{"cards":2,"corePercent":15,"memoryMiB":4096}'),
        ("hami", huawei((64, None)), '{"cards":1,"memoryMiB":8192}'),
        ("hami", huawei((64, 200), cards=2), '{"cards":2,"corePercent":100,"whole":true}'),
        ("alibaba", huawei((64, None), cards=2), '{"cards":2,"memoryAtLeast":true,"memoryMiB":4096}'),
        ("alibaba", huawei((64, 30)), '{"cards":1,"corePercent":30,"memoryAtLeast":true,"memoryMiB":8192}'),
        ("koordinator", hami(gpu=2, gpumem_percentage=30, gpucores=20), '{"cards":2,"corePercent":20,"memoryPercent":30}'),
        ("koordinator", kai(fraction="0.125"), '{"cards":1,"memoryPercent":13}'),
        ("kai", hami(gpu=2, gpumem_percentage=30), '{"cards":2,"memoryPercent":30}'),
    ],
    ids=[
        "a part of two cards",
        "memory alone",
        "whole cards",
        "at least so much memory",
        "at least so much memory, and compute",
        "a percentage",
        "a rounded percentage",
        "a percentage in an annotation",
    ],
)
def test_the_annotation_says_what_each_card_gives_in_the_target(target: str, obj: Object, figures: str) -> None:
    assert granted(target, obj) == f'{{"app":{figures}}}'


def test_whole_cards_have_no_figure_for_compute_where_the_target_writes_none() -> None:
    obj = pod({"nvidia.com/gpu": 2}, {"nvidia.com/gpu": 1, "nvidia.com/gpumem": 1024}, schedulerName="hami-scheduler")
    assert granted("baidu", obj) == '{"app":{"cards":2,"whole":true},"app-1":{"cards":1,"memoryMiB":1024}}'


@pytest.mark.parametrize(("names", "order"), [(("z", "a"), ("a", "z")), (("0", None), ("", "0"))])
def test_containers_stand_in_the_order_of_their_names(names: tuple[str | None, str | None], order: tuple[str, str]) -> None:
    obj = volcengine((4096, 30), (2048, 30))
    for container, name in zip(obj["spec"]["containers"], names, strict=True):
        container["name"] = name
    memory = dict(zip((name or "" for name in names), (4096, 2048), strict=True))
    figures = ",".join(f'"{name}":{{"cards":1,"corePercent":30,"memoryMiB":{memory[name]}}}' for name in order)
    assert granted("hami", obj) == f"{{{figures}}}"
