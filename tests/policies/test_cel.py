"""Literals and conditions of CEL."""

import pytest

from webhook.policies import cel


@pytest.mark.parametrize(("text", "literal"), [("a", "'a'"), ("it's", r"'it\'s'"), ("a\\b", r"'a\\b'"), ("a\nb", r"'a\nb'")])
def test_a_literal_escapes_what_would_end_it(text: str, literal: str) -> None:
    assert cel.text(text) == literal


def test_patterns_are_looked_up_or_compared_by_their_beginning() -> None:
    assert cel.is_one_of("k", ["a", "b*", "a"]) == "(k in ['a']) || k.startsWith('b')"
    assert cel.is_one_of("k", ["a"]) == "k in ['a']"
    assert cel.is_one_of("k", []) == "false"


def test_conditions_that_are_put_together_keep_their_precedence() -> None:
    assert cel.all_of(["a || b", "c"]) == "(a || b) && c"
    assert (cel.all_of([]), cel.any_of([])) == ("true", "false")


def test_a_path_of_optional_fields_ends_in_an_empty_value() -> None:
    assert cel.mapping_at("object", "metadata", "labels") == "object.?metadata.?labels.orValue({})"
    assert cel.list_at("c", "env") == "c.?env.orValue([])"
