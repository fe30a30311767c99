"""The tables of all keys, built anew: what can hold one of them, and what may not be claimed twice."""

import dataclasses
from typing import Any

import pytest

from tests.support.pods import ENGINE
from tests.translation.pods import engine
from webhook.core.patterns import KeyPatterns
from webhook.core.plugin import Dialect, PluginError
from webhook.core.vocabulary import Vocabulary

WHOLE = ("nvidia.com/gpu", "nvidia.com/mig-*")


def _dialect(name: str, key: str, **fields: Any) -> Dialect:
    bare: dict[str, Any] = {"count_key": "", "compute_policy_key": None, "placement_key": None, "further_keys": {}, "foreign_keys": ()}
    return dataclasses.replace(ENGINE.dialects[0], id=name, resources={"memory": key}, families=(key,), **bare | fields)


@pytest.mark.parametrize("dialects", [ENGINE.dialects, engine().dialects], ids=["the vendors'", "all"])
def test_a_text_that_holds_any_key_mentions_it_and_no_other_does(dialects: tuple[Dialect, ...]) -> None:
    words = Vocabulary(dialects, WHOLE)
    for key in (*words.roles, *words.pod_keys, *words.family_prefixes):
        text = f'{{"a":"{key}"}}'
        assert words.mentions_marks(text)
        assert words.mentions_marks(text.encode())
    for other in ("", "{}", "volcano.sh", "cpu: 2", "nvidia.com/gpu: 1", "a\\tb"):
        assert not words.mentions_marks(other)
        assert not words.mentions_marks(other.encode())


def test_keys_without_a_common_letter_are_found_too() -> None:
    words = Vocabulary([_dialect("one", "aaa"), _dialect("two", "bcd")], ())
    for text, found in (("x aaa", True), ("x bcd", True), ("x aa bc", False)):
        assert (words.mentions_marks(text), words.mentions_marks(text.encode())) == (found, found)


def test_without_a_dialect_nothing_is_mentioned() -> None:
    words = Vocabulary([], ())
    assert (words.mentions_marks("volcano.sh/gpu-mem.128Mi"), words.mentions_marks(b"volcano.sh/gpu-mem.128Mi")) == (False, False)


def test_a_key_belongs_to_one_dialect() -> None:
    with pytest.raises(PluginError, match=r"^two dialects claim the key aaa$"):
        Vocabulary([_dialect("one", "aaa"), _dialect("two", "aaa")], ())


def test_a_key_of_the_pod_marks_a_dialect_only_where_its_amounts_stand_there() -> None:
    words = Vocabulary(engine().dialects, ())
    assert words.pod_marks == dict.fromkeys(("gpu-memory", "gpu-fraction", "gpu-fraction-num-devices"), "kai")
    assert words.pod_keys["volcano.sh/gpu-num"] == "huawei"
    assert words.family_of("volcano.sh/gpu-cores") == "huawei"


@pytest.mark.parametrize(
    ("key", "known"),
    [("a/x", True), ("a/xy", False), ("b/y-", True), ("b/y-1", True), ("b/y", False), ("c", True), ("cd", True), ("d", False), ("", False)],
)
def test_a_trailing_star_matches_any_ending_and_nothing_else_does(key: str, *, known: bool) -> None:
    patterns = KeyPatterns(("a/x", "b/y-*", "c*"))
    assert (key in patterns) is known
    assert patterns.among(["z", key, "a/x"]) == ([key] if known else []) + ["a/x"]
    assert (key in KeyPatterns(("a/x",))) is (key == "a/x")
