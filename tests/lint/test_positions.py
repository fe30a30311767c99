"""A position names the characters of a value: cut out of the file, they are the value as written."""

import pytest

from tests.lint.manifests import documents, only
from webhook.lint.document import Document, Parts
from webhook.lint.faults import Position


def _cut(text: str, position: Position) -> str:
    """Return what stands at a position, by lines and columns alone."""
    lines = text.split("\n")
    chosen = lines[position.line - 1 : position.end_line]
    chosen[-1] = chosen[-1][: position.end_column - 1]
    chosen[0] = chosen[0][position.column - 1 :]
    return "\n".join(chosen)


def _shown(text: str, document: Document, parts: Parts) -> str:
    return _cut(text, document.locate(parts))


@pytest.mark.parametrize(
    ("text", "parts", "written"),
    [
        pytest.param("a: 64 # why\n", ("a",), "64", id="plain"),
        pytest.param('a: "64"\n', ("a",), '"64"', id="double quotes are included"),
        pytest.param("a: 'it''s'\n", ("a",), "'it''s'", id="single quotes are included"),
        pytest.param('a:   "6\\x34"   # c\n', ("a",), '"6\\x34"', id="escapes are as written"),
        pytest.param("a: b c  d   # c\n", ("a",), "b c  d", id="plain with blanks"),
        pytest.param("a: b\n  c\nd: 1\n", ("a",), "b\n  c", id="plain over two lines"),
        pytest.param("a: |\n  x\n  y\n\n# c\nb: 1\n", ("a",), "|\n  x\n  y", id="literal block"),
        pytest.param("a: >-\n  x\n  y\nb: 1\n", ("a",), ">-\n  x\n  y", id="folded block"),
        pytest.param("a: {b: 1, c: [2, 3]}\n", ("a", "c", 1), "3", id="flow style"),
        pytest.param("a: {b: 1, c: [2, 3]} # c\n", ("a",), "{b: 1, c: [2, 3]}", id="flow mapping"),
        pytest.param("a: [\n  1,\n  2 ]\n", ("a",), "[\n  1,\n  2 ]", id="flow list over lines"),
        pytest.param("a:\n  - b: 1\n    c: 2\n  - b: 3\n", ("a", 1, "b"), "3", id="mapping in a list"),
        pytest.param("a:\n  - - x\n    - y\n", ("a", 0, 1), "y", id="list in a list"),
        pytest.param("a:\n  b: 1\n  c: 2 # c\n\n\nd: 1\n", ("a",), "b: 1\n  c: 2", id="block mapping without what follows"),
        pytest.param("a: &x 64\n", ("a",), "64", id="anchor is left out"),
        pytest.param("a: !!str 64\n", ("a",), "64", id="tag is left out"),
        pytest.param("a: !!str &x  # c\n  64\n", ("a",), "64", id="tag and anchor on another line"),
        pytest.param("a: &x\n  b: 1\n", ("a",), "b: 1", id="anchored mapping"),
        pytest.param("a: &x 64\nb: *x\n", ("b",), "64", id="alias leads to its anchor"),
        pytest.param("p: &p {v: 1}\na:\n  <<: *p\n", ("a", "v"), "1", id="merged value"),
        pytest.param("p: &p {v: 1}\na:\n  <<: *p\n  v: 2\n", ("a", "v"), "2", id="own value after a merge"),
        pytest.param("p: &p {v: 1}\na:\n  v: 2\n  <<: *p\n", ("a", "v"), "1", id="a merge overwrites what stood before it"),
        pytest.param("p: &p {v: 1}\nq: &q {v: 2}\na:\n  <<: [*p, *q]\n", ("a", "v"), "1", id="the first of several merged"),
        pytest.param("é日: 'ü' # 😀\n😀: {a: \"日\", b: 64}\n", ("😀", "b"), "64", id="after characters of several bytes"),
        pytest.param('a: 1\r\nb:\r\n  c: "64"\r\n', ("b", "c"), '"64"', id="CRLF"),
        pytest.param("a:\t64\n", ("a",), "64", id="after a tab"),
        pytest.param("# c\n---\n# d\n---\na: 1\nb: 64\n", ("b",), "64", id="after separators and comments"),
        pytest.param('{"a": {"b": ["x", 64]}}', ("a", "b", 1), "64", id="JSON"),
        pytest.param('{\n\t"a": "\\ud83d\\ude00", "b": 64\n}', ("b",), "64", id="JSON after an escaped pair"),
        pytest.param('{"a": "\ufffe\x7f", "b": 64}', ("b",), "64", id="JSON after characters that YAML has not"),
        pytest.param('{"a": "\ufffe\x7f", "b": 64}', ("a",), '"\ufffe\x7f"', id="JSON text of such characters"),
        pytest.param("on: 64\n", ("true",), "64", id="a boolean as a key"),
        pytest.param("010: 64\n", ("8",), "64", id="a number as a key"),
    ],
)
def test_a_value(text: str, parts: Parts, written: str) -> None:
    assert _shown(text, only(text), parts) == written


@pytest.mark.parametrize(
    ("text", "parts", "written"),
    [
        pytest.param("a:\n  b: 1\n", ("a", "x"), "a", id="a missing key shows the mapping's key"),
        pytest.param("a:\n  b: 1\n", ("a", "b", "c", "d"), "b", id="the nearest ancestor, however deep"),
        pytest.param("a:\n  b: 1\n", ("x", "y"), "a", id="the document's first key"),
        pytest.param("- a: 1\n- b: 1\n", (1, "x"), "b", id="the first key of a list's item"),
        pytest.param("a: [1]\n", ("a", 7), "a", id="an index beyond the list"),
        pytest.param("a: [1]\n", ("a", "b"), "a", id="a key in a list"),
        pytest.param("a:\nb: 1\n", ("a",), "a", id="a value that is not written"),
        pytest.param("p: &p {v: 1}\na:\n  - <<: *p\n    w: 1\n", ("a", 0, "x"), "<<", id="an item that starts with a merge"),
        pytest.param("a: {b: {}}\n", ("a", "b", "x"), "b", id="flow style"),
    ],
)
def test_what_is_not_there_is_shown_at_the_nearest_ancestor(text: str, parts: Parts, written: str) -> None:
    assert _shown(text, only(text), parts) == written


def test_lines_and_columns_count_from_one_and_the_end_is_excluded() -> None:
    assert only("a: 1\nbc:  'x'\n").locate(("bc",)) == Position(2, 6, 2, 9)


def test_a_byte_order_mark_is_no_column() -> None:
    assert only(b"\xef\xbb\xbfa: 64\n").locate(("a",)) == Position(1, 4, 1, 6)


def test_utf16_counts_code_points() -> None:
    text = "é: 1\na: '😀' # c\n"
    document = only(text.encode("utf-16"))
    assert document.locate(("a",)) == Position(2, 4, 2, 7)


def test_later_documents_count_from_the_start_of_the_file() -> None:
    text = "a: 1\n---\n---\nb: 2\n--- # c\n\nc: 64\n"
    last = list(documents(text))[-1]
    assert (_shown(text, last, ("c",)), last.locate(("c",)).line) == ("64", 7)


def test_json_values_that_follow_one_another() -> None:
    text = '{"a": 1}\n{"b": 64} {"c": 65}\n'
    assert [_shown(text, document, (key,)) for document, key in zip(documents(text), "abc", strict=True)] == ["1", "64", "65"]
