"""Faults of others with numbers, units and quantities (letter A)."""

import json
from typing import Any

import pytest

from tests.support.door import ask, denied_at, operations
from tests.support.pods import (
    CG_COUNT,
    CG_MEMORY,
    LIMITS,
    MG_CORE,
    MG_LIST,
    MG_MEMORY,
    XG_CORE,
    XG_COUNT,
    XG_MEMORY,
    Json,
    alibaba,
    cg,
    huawei,
    mg,
    mutated,
    pod,
    volcengine,
    xg,
)

FIRST = "spec.containers[0].resources.limits"


def _granted(whole: Json) -> Any:
    return json.loads(mutated(whole)["metadata"]["annotations"][LIMITS])["containers"]["c0"]


def test_a01_memory_in_bytes_neither_overflows_nor_passes() -> None:
    causes = denied_at(ask("validate", volcengine(mg(30, "16Gi"))))
    assert list(causes) == [f"{FIRST}[{MG_MEMORY}]"]
    assert "17179869184 MiB, out of range" in causes[f"{FIRST}[{MG_MEMORY}]"]
    assert 'write "16384"' in causes[f"{FIRST}[{MG_MEMORY}]"]


def test_a04_a_decimal_suffix_on_a_count_of_gib_is_refused_with_the_number_to_write() -> None:
    causes = denied_at(ask("validate", alibaba(cg("10G"))))
    assert "must count GiB" in causes[f"{FIRST}[{CG_MEMORY}]"]
    assert 'write "10"' in causes[f"{FIRST}[{CG_MEMORY}]"]


def test_a05_mib_written_where_gib_are_counted_is_more_than_any_card_has() -> None:
    causes = denied_at(ask("validate", alibaba(cg(8192))))
    assert "8388608 MiB on 1 card; must be at most 1048576 MiB" in causes[f"{FIRST}[{CG_MEMORY}]"]
    assert ask("validate", alibaba(cg(8)))["auditAnnotations"]["memory-unit"] == "GiB"


@pytest.mark.parametrize(
    "whole",
    [huawei(count="0"), alibaba(count="0"), volcengine(count="0")],
    ids=["Huawei", "Alibaba", "Volcengine"],
)
def test_a06_a_count_of_0_is_refused_and_never_divided_by(whole: Json) -> None:
    ((field, message),) = denied_at(ask("validate", whole)).items()
    assert field.startswith("metadata.")
    assert "1 or more" in message
    assert operations(ask("mutate", whole)) == []


@pytest.mark.parametrize("count", ["-2", "-0", "-1"])
@pytest.mark.parametrize(("build", "key"), [(huawei, XG_COUNT), (alibaba, CG_COUNT), (volcengine, MG_LIST)])
def test_a07_a_negative_count_is_refused(build: Any, key: str, count: str) -> None:
    assert [field.rpartition("[")[2] for field in denied_at(ask("validate", build(count=count)))] == [f"{key}]"]


@pytest.mark.parametrize(
    ("whole", "key"),
    [
        (huawei(xg("-64")), XG_MEMORY),
        (huawei(xg(64, "-30")), XG_CORE),
        (alibaba(cg("-8")), CG_MEMORY),
        (volcengine(mg(30, "-4096")), MG_MEMORY),
        (volcengine(mg("-30", 4096)), MG_CORE),
    ],
)
def test_a07_a_negative_amount_is_refused(whole: Json, key: str) -> None:
    assert "is not positive" in denied_at(ask("validate", whole))[f"{FIRST}[{key}]"]


@pytest.mark.parametrize("written", ["64000m", "64000000u", "64.000"])
def test_a09_milli_units_are_a_number_like_any_other(written: str) -> None:
    assert _granted(huawei(xg(written), count="2")) == {"cards": 2, "memoryMiB": 4096}


@pytest.mark.parametrize(("written", "gib"), [("8.0", 8), ("8.", 8), ("0.008k", 8)])
def test_a10_a_decimal_point_is_read(written: str, gib: int) -> None:
    assert _granted(alibaba(cg(written)))["memoryMiB"] == gib * 1024


@pytest.mark.parametrize("written", ["0.5", "500m", ".5", "1.5"])
def test_a10_a_part_of_a_gib_is_refused(written: str) -> None:
    assert "whole number of GiB" in denied_at(ask("validate", alibaba(cg(written))))[f"{FIRST}[{CG_MEMORY}]"]


def test_a13_figures_are_written_as_whole_numbers_without_a_floats_tail() -> None:
    text = mutated(alibaba(cg(9.0), count="3"))["metadata"]["annotations"][LIMITS]
    assert '"memoryMiB":3072}' in text
    assert not operations(ask("mutate", alibaba(cg(8), count="3")))
    big = mutated(huawei(xg(8192 * 64), count="64"))["metadata"]["annotations"][LIMITS]
    assert '"memoryMiB":1048576}' in big


@pytest.mark.parametrize("written", ["9223372036854775807", "9223372036854775808", "2000E", "9" * 400, "-9223372036854775809"])
@pytest.mark.parametrize("key", [MG_MEMORY, XG_MEMORY, CG_MEMORY, XG_CORE, MG_CORE])
def test_a14_numbers_near_and_beyond_64_bits_are_out_of_range_and_barely_echoed(key: str, written: Any) -> None:
    whole = pod({MG_CORE: 30, MG_MEMORY: 4096, key: written} if key.startswith("vke") else {XG_MEMORY: 64, key: written})
    whole = pod({CG_MEMORY: written}) if key == CG_MEMORY else whole
    answer = ask("validate", whole)
    assert f"{FIRST}[{key}]" in denied_at(answer)
    assert "9" * 70 not in json.dumps(answer)


@pytest.mark.parametrize("written", ["1_0", "\uff12", " 2 ", "+2", "0x2", "02", "٢", "2.0", "2e0", "²"])
@pytest.mark.parametrize(("build", "key"), [(huawei, XG_COUNT), (alibaba, CG_COUNT), (volcengine, MG_LIST)])
def test_a15_a_count_is_plain_ascii_digits_whatever_python_reads(build: Any, key: str, written: str) -> None:
    assert [field.rpartition("[")[2] for field in denied_at(ask("validate", build(count=written)))] == [f"{key}]"]


def test_a17_a_total_over_four_cards_is_a_quarter_on_each() -> None:
    assert _granted(alibaba(cg(160), count="4")) == {"cards": 4, "memoryAtLeast": True, "memoryMiB": 40960}


def test_a19_the_same_mistake_is_the_same_rule_in_every_dialect() -> None:
    wrong = [volcengine(mg(30, 8192), count="5"), huawei(xg(64), count="5"), alibaba(cg(8), count="5")]
    messages = [next(iter(denied_at(ask("validate", whole)).values())) for whole in wrong]
    assert [message.rpartition(" ")[2] for message in messages] == ["[memory-step]"] * 3
    assert ["8192 MiB over 5 cards, 1638 2/5 MiB each" in message for message in messages] == [True] * 3


def test_a22_a_part_of_a_whole_card_is_nobodys_business_until_it_stands_beside_a_share() -> None:
    alone = pod({"nvidia.com/gpu": "500m"})
    assert (operations(ask("mutate", alone)), ask("validate", alone)["allowed"]) == ([], True)
    beside = huawei(xg(64) | {"nvidia.com/gpu": "500m"}, count="2")
    assert list(denied_at(ask("validate", beside))) == [f"{FIRST}[nvidia.com/gpu]"]


@pytest.mark.parametrize("written", ["8b", "1b", "8B", "8GB"])
def test_a25_a_suffix_that_kubernetes_does_not_know_is_refused(written: str) -> None:
    assert "is not a Kubernetes quantity" in denied_at(ask("validate", alibaba(cg(written))))[f"{FIRST}[{CG_MEMORY}]"]


@pytest.mark.parametrize("written", ["abc", "", None, [], {}, True])
def test_a26_a_bad_quantity_is_refused_and_the_next_request_served(written: Any) -> None:
    assert f"{FIRST}[{XG_MEMORY}]" in denied_at(ask("validate", pod({XG_MEMORY: written})))
    assert ask("validate", alibaba())["allowed"] is True


def test_a28_bytes_where_blocks_are_counted_are_refused_with_the_blocks_to_write() -> None:
    message = denied_at(ask("validate", huawei(xg("8Gi"), count="2")))[f"{FIRST}[{XG_MEMORY}]"]
    assert "must count blocks of 128 MiB, not bytes" in message
    assert 'write "64"' in message


@pytest.mark.parametrize(
    ("whole", "check"),
    [
        (huawei(xg(None, 25)), "[memory-missing]"),
        (huawei(xg(64, 105)), "[core-range]"),
        (huawei(xg(64, 205), count="2"), "[core-step]"),
    ],
)
def test_a30_compute_alone_or_over_the_card_is_refused(whole: Json, check: str) -> None:
    assert check in str(denied_at(ask("validate", whole)))


def test_a30_all_compute_of_two_cards_is_fine() -> None:
    assert _granted(huawei(xg(64, 200), count="2")) == {"cards": 2, "corePercent": 100, "whole": True}
