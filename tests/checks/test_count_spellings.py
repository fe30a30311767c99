"""Every spelling of a card count under every count key: `[1-9][0-9]*` in ASCII up to the maximum, nothing else."""

from typing import Any

import pytest

from tests.support.pods import CG_COUNT, ENGINE, MG_LIST, XG_COUNT, Json, alibaba, cg, errors, huawei, mg, volcengine, xg
from webhook.core.finding import Finding

KEYS = (MG_LIST, XG_COUNT, CG_COUNT)
# What is wrong, and the right spelling where one can be told.
WRONG: dict[str, tuple[Any, str | None]] = {
    "a leading zero": ("02", "2"),
    "many leading zeros": ("0002", "2"),
    "a plus": ("+2", "2"),
    "a blank before": (" 2", "2"),
    "a blank behind": ("2 ", "2"),
    "a line feed behind": ("2\n", "2"),
    "an underscore": ("1_0", "10"),
    "full-width digits": ("\uff12", "2"),
    "Arabic digits": ("٢", "2"),
    "a point": ("2.", "2"),
    "a point and a zero": ("2.0", "2"),
    "a part of a card": ("2.5", None),
    "a hexadecimal number": ("0x2", None),
    "an exponent": ("2e0", None),
    "a suffix": ("2k", None),
    "a superscript": ("²", None),
    "a word": ("two", None),
    "a minus": ("-2", None),
    "a negative zero": ("-0", None),
    "one more than the maximum": ("65", None),
    "a number beyond 64 bits": ("18446744073709551618", None),
    "a number of 10,000 digits": ("1" * 10_000, None),
    "a JSON number": (2, "2"),
    "a JSON number out of range": (65, None),
    "a JSON number of 0": (0, None),
    "a JSON number of 5,000 digits": (10**5000, None),
    "a JSON number with a point": (2.0, None),
    "true": (True, None),
    "null": (None, None),
    "a list": (["2"], None),
    "a mapping": ({"2": "2"}, None),
}


def _pod(key: str, written: Any) -> Json:
    """Return a pod that is right over any power of two up to 64 cards."""
    if key == MG_LIST:
        whole = volcengine(mg(64, 65536), count="1")
        whole["metadata"]["annotations"][MG_LIST] = written
        return whole
    whole = huawei(xg(64)) if key == XG_COUNT else alibaba(cg(64))
    whole["metadata"]["labels"] = {key: written}
    return whole


def _finding(key: str, written: Any) -> Finding:
    verdict = ENGINE.examine(_pod(key, written))
    (finding,) = [finding for finding in verdict.errors if finding.check == "card-count"]
    assert finding.path.parts == ("metadata", "annotations" if key == MG_LIST else "labels", key)
    assert verdict.patch == ()
    assert len(finding.text) < 500
    return finding


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("count", [1, 2, 8, 64])
def test_a_plain_whole_number_is_a_count(key: str, count: int) -> None:
    verdict = ENGINE.examine(_pod(key, str(count)))
    assert verdict.findings == ()
    assert [share.cards for share in verdict.pods[0].shares] == [count]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("name", WRONG)
def test_any_other_spelling_is_refused_with_the_right_one_where_it_can_be_told(key: str, name: str) -> None:
    written, right = WRONG[name]
    hint = _finding(key, written).hint
    assert hint.startswith(f'write "{right}"') if right else "such as" in hint


def test_the_most_cards_are_not_too_many_however_they_are_spelt() -> None:
    for text, hint in (("064", 'write "64"'), ("0", 'write a number from 1 to 64, such as "2", or leave it out for one card')):
        (finding,) = ENGINE.examine(huawei(count=text)).errors
        assert finding.message == f"'{text}' is not a card count; must be plain digits, 1 or more"
        assert finding.hint == hint


@pytest.mark.parametrize("key", KEYS)
def test_a_million_zeros_are_refused_in_bounded_time(key: str) -> None:
    assert _finding(key, "0" * 1_000_000 + "x").value == "0" * 63 + "…"


@pytest.mark.parametrize("key", [XG_COUNT, CG_COUNT])
@pytest.mark.parametrize("written", ["0", "00", "", "1,2"])
def test_a_label_is_one_count_of_at_least_one(key: str, written: str) -> None:
    assert "such as" in _finding(key, written).hint


def test_zero_is_a_count_in_the_list_only_and_only_where_nothing_is_asked_for() -> None:
    assert errors(volcengine(mg(30, 4096), None, count="2,0")) == set()
    assert errors(volcengine(mg(30, 4096), None, count="2,00")) == {"card-count"}


def test_each_wrong_entry_of_a_list_is_a_finding_of_its_own() -> None:
    verdict = ENGINE.examine(volcengine(*[mg(30, 4096)] * 4, count="02,2,+2,two"))
    assert [finding.message.split(" ")[0] for finding in verdict.errors] == ["'02'", "'+2'", "'two'"]


def test_a_list_of_rubbish_does_not_answer_with_a_finding_for_each_piece() -> None:
    verdict = ENGINE.examine(volcengine(mg(30, 4096), count=",".join(f"x{index}" for index in range(20_000))))
    # One more than the cards that a container can have.
    assert len(verdict.errors) == 65


@pytest.mark.parametrize("key", [XG_COUNT, CG_COUNT])
def test_a_wrong_count_is_told_even_where_only_an_init_container_or_a_near_miss_marks_the_pod(key: str) -> None:
    marked = _pod(key, "two")
    share = marked["spec"]["containers"][0].pop("resources")
    assert errors(marked) == set()
    marked["spec"]["initContainers"] = [{"name": "first", "resources": share}]
    assert errors(marked) == {"card-count", "init-container"}
    near = _pod(key, "two")
    near["spec"]["containers"][0]["resources"]["limits"] = {"volcano.sh/gpu-core": 5} if key == XG_COUNT else {"aliyun.com/gpu-core": 5}
    assert errors(near) == {"card-count"}
