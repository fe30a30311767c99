"""The quick reader says what libyaml says, or nothing: data and ranges, over many kinds of text."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.lint.manifests import bad_pod, good_pod
from webhook.lint.blocks import read_blocks
from webhook.lint.documents import YamlText
from webhook.lint.faults import DocumentError
from webhook.lint.places import find, tree

# Pieces of lines, right and wrong ones, so that every rule of the reader meets what it must leave alone.
_INDENTS = st.sampled_from(["", "", "  ", "  ", "    ", "   ", "\t"])
_DASHES = st.sampled_from(["", "", "- ", "-   ", "- - ", "-", "-\t"])
_KEYS = st.sampled_from(["a", "b", "c-d.e/f", "y", "on", "null", "name", "a b", '"q"', "'q'", "1", "<<", "?", "é", "a:b", "_"])
_COLONS = st.sampled_from([": ", ":", ":   ", ":\t", " : ", ""])
_VALUES = st.sampled_from(
    [
        *(
            "",
            "x",
            "x y",
            "x  y",
            "x:y",
            "x: y",
            "x:",
            "-x",
            "--",
            "- x",
            "64",
            "010",
            "0o10",
            "1e3",
            "1_0",
            ".5",
            "~",
            "true",
            "no",
            "+1",
            "-0",
        ),
        *('"x"', '"x', '"a: b"', '"x\\n"', '"é"', "'x'", "'it''s'", "'x", '"x" y', "'a # b'", '"\x7f"', "'\u2028'", '"\ufeff"'),
        *(
            "[]",
            "{}",
            "[ ]",
            "{a: 1}",
            "[a]",
            "|",
            ">-",
            "&a x",
            "*a",
            "!!str 1",
            "a#b",
            "a #b",
            "#x",
            "@x",
            "`x",
            "%x",
            "é",
            ".inf",
            "...",
        ),
        *("a/b:1", "x,y", "x{", "a'b", 'a"b', "2001-01-01", "1:30", "x=y", "=", "<<", "a^b", "a&b", "a*b", "!", "(x)", "$x", "x)", "a;b"),
    ]
)
_ENDS = st.sampled_from(["", "", "", " ", "  # c", " #", "# c", "#é", "\t", "\r", "\x85", " # \u2028"])
_LINES = st.builds("".join, st.tuples(_INDENTS, _DASHES, _KEYS, _COLONS, _VALUES, _ENDS)) | st.builds(
    "".join, st.tuples(_INDENTS, st.sampled_from(["- ", "", "-"]), _VALUES, _ENDS)
)
_TEXTS = st.builds(lambda lines, end: "\n".join(lines) + end, st.lists(_LINES, min_size=1, max_size=6), st.sampled_from(["", "\n", "\n\n"]))
# Mostly what the reader knows: otherwise few texts of several lines would get past it.
_KNOWN_VALUES = st.sampled_from(
    ["", "", "x", "x y", "x:y", "64", "010", "1e3", "~", "-1", '"x"', '"a: b"', "'x # y'", "[]", "{}", "a/b:1", "2001-01-01", '"é"']
)
_KNOWN_LINES = st.builds(
    lambda depth, dash, key, value, end: f"{depth * ' '}{dash}{key}: {value}{end}",
    st.sampled_from([0, 0, 2, 2, 4, 1]),
    st.sampled_from(["", "", "- ", "-   "]),
    st.sampled_from("abcdefgh") | st.text("abc", min_size=2, max_size=4),
    _KNOWN_VALUES,
    st.sampled_from(["", "", "  # c", " "]),
) | st.builds(lambda depth, value: f"{depth * ' '}- {value}", st.sampled_from([0, 2, 4]), _KNOWN_VALUES)
_KNOWN_TEXTS = st.builds(
    lambda lines, odd: "\n".join(lines if odd is None else [*lines[:-1], odd, *lines[-1:]]),
    st.lists(_KNOWN_LINES, min_size=1, max_size=5),
    st.none() | st.none() | _LINES,
)


def _paths(value: Any, parts: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield parts
    yield (*parts, "missing")
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from _paths(inner, (*parts, key))


def _check(text: str) -> bool:
    """Compare both readers; return whether the quick one knew the text."""
    quick = read_blocks(text)
    if quick is None:
        return False
    slow = YamlText(text)
    try:
        data = slow.build()
    except DocumentError as error:
        message = f"libyaml refuses it: {error}"
        raise AssertionError(message) from None
    # As text: in Python True == 1, in a manifest it is not.
    assert json.dumps(quick.data) == json.dumps(data)
    root = tree(slow.tokens(), text)
    for parts in _paths(data):
        span = quick.span(parts)
        assert span is None or span == find(root, parts).span, parts
    return True


@given(_TEXTS)
def test_lines_of_all_kinds(text: str) -> None:
    _check(text)


@given(_KNOWN_TEXTS)
def test_lines_that_are_mostly_known(text: str) -> None:
    _check(text)


@given(st.data())
def test_damaged_manifests(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([good_pod(), bad_pod()]))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 4)))
        text = text[:start] + data.draw(st.text(" \n\t-:#'\"{}[]&*!|>ab1~é\\,", max_size=3)) + text[end:]
    _check(text)


@pytest.mark.parametrize(
    "text",
    [
        good_pod(),
        "a:\n- b: 1\n  c: 2\n- d\n\ne: x\n",
        "  a: 1\n  b:\n    - 1\n    - c: 1\n      d:\n      - 2\n",
        "- a\n- b: 1\n",
        "a: # c\n  b: 'x' # c\n\n# c\n  # c\n  c: \"y # z\"",
        "a:\nb:\n  -   c: 1\n      d: 2\n",
    ],
    ids=["a pod", "a list at its key's indentation", "an indented document", "a list", "comments", "a wide dash"],
)
def test_plain_manifests_are_known(text: str) -> None:
    assert _check(text)


@pytest.mark.parametrize(
    "text",
    [
        *("a: {b: 1}\n", "a: &x 1\n", "a: *x\n", "a: !!str 1\n", "a: |\n  x\n", 'a: "\\x41"\n', "a: b\n  c\n", "a:\tb\n", "a: 1\na: 2\n"),
        *(
            "on: 1\n",
            "a: .nan\n",
            "a:\n    b: 1\n  c: 2\n",
            "a: 1\n  b: 2\n",
            "a:\n- b\nc: 1\n- d\n",
            "",
            "# c\n",
            "a\n",
            "a: 1\r\n",
            "...\n",
        ),
    ],
)
def test_anything_else_is_left_to_libyaml(text: str) -> None:
    assert read_blocks(text) is None
