"""Whatever a document holds, and however it is written, each value's range reads back as the value."""

import json
from collections.abc import Iterator
from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.lint.manifests import documents, only
from webhook.lint.document import Parts
from webhook.lint.documents import dump

_TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\x85\u2028\u2029\ufeff\ufffe\uffff"), max_size=12)
_TRICKY = st.sampled_from(
    ["y", "No", "0o10", "1e3", "010", "1_0", "~", "", "null", ".5", "<<", "=", "2001-01-01", "1:30", "- a", "a: b", "#", "&a", "*a", "!t"]
)
_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(1 << 63), (1 << 63) - 1)
    | _TEXT
    | _TRICKY
    | st.sampled_from(["a\nb\n", " a\nb ", "a\n\n", "\ta"])
)
_VALUES = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT | _TRICKY, inner, max_size=4), max_leaves=20
)
_DOCUMENTS = st.dictionaries(_TEXT | _TRICKY, _VALUES, min_size=1, max_size=4)


def _paths(value: Any, parts: Parts = ()) -> Iterator[tuple[Parts, Any]]:
    yield parts, value
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from _paths(inner, (*parts, key))


def _check_every_place(text: str, data: Any) -> None:
    document = only(text)
    assert document.data == data
    for parts, value in _paths(data):
        start, end = document.span(parts)
        if not isinstance(value, dict | list):
            written = text[start:end]
            # A value that is not written is shown at its key; a block scalar needs its indentation.
            if value is None or written.startswith(("|", ">")):
                continue
            assert only(f"v: {written}\n").data == {"v": value}, parts


@given(_DOCUMENTS)
def test_yaml_in_blocks(data: dict[str, Any]) -> None:
    _check_every_place(dump([data]), data)


@given(_DOCUMENTS)
def test_json(data: dict[str, Any]) -> None:
    _check_every_place(json.dumps(data, ensure_ascii=False, indent=1), data)


@given(_DOCUMENTS)
def test_json_with_escapes(data: dict[str, Any]) -> None:
    assert only(json.dumps(data)).data == data


@given(st.lists(_DOCUMENTS, min_size=1, max_size=3))
def test_what_is_dumped_is_read_back_by_kubectl_s_rules(values: list[Any]) -> None:
    assert [document.data for document in documents(dump(values))] == values


@given(
    st.recursive(
        st.text(st.characters(categories=["Ll"]), min_size=3),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", min_size=1), inner, max_size=3),
    )
)
def test_plain_text_is_read_as_pyyaml_reads_it(data: Any) -> None:
    text = yaml.safe_dump({"data": data})
    assert only(text).data == yaml.safe_load(text)
