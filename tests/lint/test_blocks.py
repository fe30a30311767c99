"""The quick reader says what libyaml says, or nothing: data and ranges, over many kinds of text."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.lint.manifests import bad_pod, good_pod
from tests.lint.texts import KNOWN_TEXTS, TEXTS
from webhook.lint.blocks import read_blocks
from webhook.lint.documents import YamlText
from webhook.lint.faults import DocumentError
from webhook.lint.lines import Lines
from webhook.lint.places import find, tree


def _paths(value: Any, parts: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield parts
    yield (*parts, "missing")
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from _paths(inner, (*parts, key))


def _check(text: str) -> bool:
    """Compare both readers; return whether the quick one knew the text."""
    quick = read_blocks(text, Lines())
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


@given(TEXTS)
def test_lines_of_all_kinds(text: str) -> None:
    _check(text)


@given(KNOWN_TEXTS)
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
        'a: [b, "c, d", -1] # e\nf:\n- [x]\n- {x: 1, z: "2"}\n',
    ],
    ids=["a pod", "a list at its key's indentation", "an indented document", "a list", "comments", "a wide dash", "short flow style"],
)
def test_plain_manifests_are_known(text: str) -> None:
    assert _check(text)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "a: {b: {c: 1}}\n",
            "a: [b:c]\n",
            "a: [b, ]\n",
            "a: {b: 1, b: 2}\n",
            "a: {on: 1}\n",
            "a: &x 1\n",
            "a: *x\n",
            "a: !!str 1\n",
            "a: |\n  x\n",
            'a: "\\x41"\n',
            "a: b\n  c\n",
            "a:\tb\n",
            "a: 1\na: 2\n",
        ),
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
    assert read_blocks(text, Lines()) is None


def test_documents_share_nothing_that_was_remembered() -> None:
    lines = Lines()
    text = "a: [1]\nb: {c: 2}\n"
    first, second = read_blocks(text, lines), read_blocks(text, lines)
    assert first is not None
    assert second is not None
    first.data["a"].append(2)
    first.data["b"]["d"] = 3
    assert second.data == {"a": [1], "b": {"c": 2}}


def test_what_is_remembered_stays_small() -> None:
    lines = Lines()
    for number in range(50_000):
        assert read_blocks(f"a: {number}\n", lines) is not None
    assert len(lines) < 2_500
