"""Rewriting at creation: what is left alone, and what every operation of a patch does."""

import json

import pytest

from tests.translation.pods import Object, alibaba, draft_of, huawei, pod, volcengine
from tests.translation.test_target import engine_for, rewritten
from tests.translation.test_vectors import hami, kai
from webhook import Stage

WORKED = volcengine((8192, 30), cards="2")


def _copied(obj: Object) -> Object:
    result: Object = json.loads(json.dumps(obj))
    return result


def test_a_pod_whose_containers_cannot_be_told_apart_is_left_alone() -> None:
    obj = volcengine((4096, 30), (4096, 30))
    for name in ("app", None):
        for container in obj["spec"]["containers"]:
            container["name"] = name
        assert engine_for("hami").examine(obj, stage=Stage.MUTATE).patch == ()


def test_a_pod_whose_annotations_are_no_mapping_is_left_alone() -> None:
    obj = huawei((64, 30))
    obj["metadata"]["annotations"] = ["odd"]
    assert engine_for("hami").examine(obj, stage=Stage.MUTATE).patch == ()


def test_the_variables_come_with_everything_else() -> None:
    plain = rewritten(engine_for("hami"), _copied(WORKED))
    told = rewritten(engine_for("hami", inject_env=True), _copied(WORKED))
    assert told["spec"]["containers"][0].pop("env") == [
        {"name": "GPU_CARDS", "value": "2"},
        {"name": "GPU_MEMORY_MIB_PER_CARD", "value": "4096"},
        {"name": "GPU_CORE_PERCENT_PER_CARD", "value": "15"},
    ]
    assert told == plain


def test_whole_cards_have_no_memory_to_tell() -> None:
    obj = rewritten(engine_for("hami", inject_env=True), volcengine((None, 200), cards=None))
    assert obj["spec"]["containers"][0]["env"] == [
        {"name": "GPU_CARDS", "value": "2"},
        {"name": "GPU_CORE_PERCENT_PER_CARD", "value": "100"},
    ]


def test_a_rounded_percentage_is_told_of_its_container() -> None:
    (remark,) = draft_of(kai(fraction="0.125"), "koordinator").remarks
    assert remark == ("rounded", "12.5 % of a card's memory becomes 13 %: whole percents", "app")


def test_a_loss_that_the_site_allows_is_no_obstacle() -> None:
    assert [found.check for found in engine_for("kai").examine(WORKED).findings] == ["target-dialect"]
    assert engine_for("kai", target_allow_loss=True).examine(WORKED).findings == ()


def test_a_pod_of_the_targets_own_dialect_needs_its_scheduler_and_others_are_told_of_the_target() -> None:
    engine = engine_for("huawei")
    own = huawei((64, 30))
    del own["spec"]["schedulerName"]
    assert [found.check for found in engine.examine(own, stage=Stage.VALIDATE).errors] == ["scheduler-conflict"]
    assert [found.check for found in engine.examine(alibaba((8, None)), stage=Stage.VALIDATE).errors] == ["target-dialect"]


@pytest.mark.parametrize(
    ("asks", "told"),
    [
        (((8, 70), (8, 30)), []),
        # 31 % is rounded up to 35 %
        (((8, 70), (8, 31)), ["the containers ask for 105 % in all; gpushare puts them on the same card"]),
    ],
)
def test_containers_that_alibaba_puts_on_one_card_must_fit_there_together(asks: tuple[tuple[int, int], ...], told: list[str]) -> None:
    obj = volcengine(*[(gib * 1024, percent) for gib, percent in asks])
    remarks = draft_of(obj, "alibaba").remarks
    assert [remark.text for remark in remarks if remark.outcome == "impossible"] == told
    assert "the 2 containers of the pod sit on the same cards" in [remark.text for remark in remarks]


def test_memory_that_alibaba_puts_on_one_card_must_fit_there_together() -> None:
    most = 1_048_576  # the default of memory_max_mib
    for gib, told in (
        (512, []),
        (513, [f"the containers ask for {most + 1024} MiB on each card in all; gpushare puts them on the same cards"]),
    ):
        obj = huawei((512 * 8, None), (gib * 8, None))
        assert [remark.text for remark in draft_of(obj, "alibaba").remarks if remark.outcome == "impossible"] == told


@pytest.mark.parametrize(
    ("obj", "annotations"),
    [
        (huawei((64, None)), {"gpu-memory": "8192"}),
        (hami(gpu=1, gpumem_percentage=30), {"gpu-fraction": "0.3"}),
        (hami(gpu=2, gpumem_percentage=5), {"gpu-fraction": "0.05", "gpu-fraction-num-devices": "2"}),
    ],
    ids=["memory of one card", "a percentage of one", "a percentage of two"],
)
def test_kai_is_told_the_part_of_each_card_and_how_many_where_they_are_several(obj: Object, annotations: Object) -> None:
    assert draft_of(obj, "kai").annotations == annotations


@pytest.mark.parametrize(
    ("obj", "target", "remark"),
    [
        (
            huawei((64, 200), cards=2),
            "kai",
            ("impossible", "whole cards; KAI shares less than a card, and gives whole ones to pods that ask for nvidia.com/gpu", "app"),
        ),
        (
            hami(gpu=1, gpucores=25),
            "kai",
            ("impossible", "whole cards; KAI shares less than a card, and gives whole ones to pods that ask for nvidia.com/gpu", "app"),
        ),
        (
            hami(gpu=2, gpumem=4096, gpucores=100),
            "volcengine",
            ("rounded", "100 % of compute on each card takes the cards whole, not 4096 MiB of each", "app"),
        ),
    ],
    ids=["whole cards", "all memory of a card", "all compute of two cards"],
)
def test_what_a_target_takes_whole_is_told_of_its_container(obj: Object, target: str, remark: tuple[str, str, str]) -> None:
    (found,) = draft_of(obj, target).remarks
    assert found == remark


def test_a_list_has_an_entry_of_0_for_a_container_that_asks_for_nothing() -> None:
    obj = pod({}, {"nvidia.com/gpu": 2, "nvidia.com/gpumem": 4096, "nvidia.com/gpucores": 15}, {}, schedulerName="hami-scheduler")
    policy = {"vke.volcengine.com/mgpu-compute-policy": "native-burst-share"}
    assert draft_of(obj, "volcengine").annotations == {"vke.volcengine.com/container-multiple-gpu": "0,2,0", **policy}
