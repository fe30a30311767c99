"""What is told on the way into a target before it writes anything."""

import dataclasses
from typing import Any

import pytest

from tests.translation.pods import Object, alibaba, dialect, draft_of, read
from tests.translation.test_target import engine_for
from tests.translation.test_vectors import hami
from webhook.core.translation import drafted
from webhook.core.writing import Draft


@pytest.mark.parametrize(
    ("cards", "told"), [(2, ["assumed"]), (3, [("impossible", "3 cards; KAI Scheduler gives at most 2", "app")])], ids=["the most", "more"]
)
def test_more_cards_than_the_target_gives_are_impossible_and_nothing_is_written(cards: int, told: list[Any]) -> None:
    target = dataclasses.replace(dialect("kai"), max_cards=2)
    draft = drafted(read(hami(gpu=cards, gpumem=4096)), target)
    assert [remark.outcome if cards == 2 else remark for remark in draft.remarks] == told
    assert bool(draft.annotations) is (cards == 2)


def test_an_init_container_is_told_by_its_name() -> None:
    obj = hami(gpu=1, gpumem=4096)
    limits = {"nvidia.com/gpu": 1, "nvidia.com/gpumem": 500}
    obj["spec"]["initContainers"] = [{"name": "warm", "image": "registry.example/infer:1", "resources": {"limits": limits}}]
    text = "an init container asks for a share; Huawei CCE xGPU is written for spec.containers only"
    assert draft_of(obj, "huawei").remarks == [("impossible", text, "warm")]


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("hami", "the 2 containers sit on the same cards; in HAMi they get cards of their own"),
        ("koordinator", "the 2 containers sit on the same cards; in Koordinator they see all cards of the pod"),
    ],
)
def test_containers_that_share_their_cards_lose_that_where_the_target_shares_none(target: str, text: str) -> None:
    assert ("lost", text, None) in draft_of(alibaba((4, None), (4, None)), target).remarks
    assert [remark for remark in draft_of(alibaba((4, None)), target).remarks if remark.outcome == "lost"] == []


def test_alibabas_memory_is_told_to_be_the_least() -> None:
    text = "8192 MiB are what Alibaba ACK gpushare gives at least; a card may have given more"
    assert draft_of(alibaba((8, None)), "hami").remarks == [("assumed", text, "app")]


def _with_cards_of(mib: int | None, obj: Object, target: str) -> Draft:
    sized = {} if mib is None else {"dialects__hami__card_memory_mib": mib}
    engine = engine_for(target, dialects__hami__enabled=True, **sized)
    (gpu,) = engine.examine(obj).pods
    return drafted(gpu, dialect(target))


@pytest.mark.parametrize(
    ("percent", "blocks", "told"),
    [
        (50, 192, [("assumed", "50 % of a card's memory: a card is taken to have 49152 MiB", "app")]),
        (25, 96, [("assumed", "25 % of a card's memory: a card is taken to have 49152 MiB", "app")]),
    ],
)
def test_a_percentage_becomes_a_size_where_the_site_says_how_large_a_card_is(percent: int, blocks: int, told: list[Any]) -> None:
    draft = _with_cards_of(49152, hami(gpu=1, gpumem_percentage=percent), "huawei")
    assert list(draft.amounts.values()) == [{"volcano.sh/gpu-mem.128Mi": blocks}]
    assert draft.remarks == told


def test_a_percentage_stays_one_where_the_target_can_say_it() -> None:
    draft = _with_cards_of(49152, hami(gpu=1, gpumem_percentage=50), "koordinator")
    assert list(draft.amounts.values()) == [{"koordinator.sh/gpu.shared": 1, "koordinator.sh/gpu-memory-ratio": 50}]
    assert draft.remarks == []


def test_a_percentage_of_cards_of_no_known_size_is_impossible_to_say_in_mib() -> None:
    draft = _with_cards_of(None, hami(gpu=1, gpumem_percentage=50), "huawei")
    assert [remark.outcome for remark in draft.remarks] == ["impossible"]
