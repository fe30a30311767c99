"""What cannot be read is refused with its place, and hostile documents cost nothing."""

import pytest

from tests.lint.manifests import documents, fault, only

_BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [*{old}, *{old}, *{old}, *{old}, *{old}, *{old}, *{old}, *{old}, *{old}]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("text", "place", "part"),
    [
        pytest.param("a: 1\nb: 2\na: 3\n", (3, 1), "duplicate key 'a'", id="a duplicate key"),
        pytest.param("x:\n  on: 1\n  true: 2\n", (3, 3), "duplicate key 'true'", id="two spellings of one key"),
        pytest.param('{"a": 1,\n "b": {"c": 1, "c": 2}}', (2, 16), "duplicate key 'c'", id="a duplicate key in JSON"),
        pytest.param("a: [1, 2\nb: 1\n", (2, 2), "did not find expected", id="an open list"),
        pytest.param("a: 'x\n", (2, 1), "unexpected end of stream", id="an open quote"),
        pytest.param("a: b: c\n", (1, 5), "mapping values are not allowed", id="two colons"),
        pytest.param("a:\n\t- b\n", (2, 1), "cannot start any token", id="a tab as indentation"),
        pytest.param("a:\n  \tb: 1\n", (2, 3), "it is a tab: a line must be indented with blanks", id="a tab behind blanks"),
        pytest.param("a: @\n", (1, 4), "while scanning for the next token", id="what is no tab"),
        pytest.param("a: {{ .Values.a }}\n", (1, 17), "this is a template: it must be rendered first", id="a value from a chart"),
        pytest.param("{{- if .Values.a }}\na: 1\n{{- end }}\n", (1, 3), "this is a template", id="a condition of a chart"),
        pytest.param("a: '{{ x }}'\nb: [1\n", (3, 1), "did not find expected", id="a fault on another line than braces"),
        pytest.param("ü: \x01\n", (1, 4), "U+0001", id="a control character"),
        pytest.param("a: *x\n", (1, 4), "unknown anchor 'x'", id="an unknown anchor"),
        pytest.param("a: &x\n  b: *x\n", (2, 6), "contains itself", id="recursion"),
        pytest.param("a: &x [*x]\n", (1, 8), "contains itself", id="recursion in a list"),
        pytest.param("<<: 1\na: 2\n", (1, 5), "merge key", id="a merge of a number"),
        pytest.param("? [a]\n: 1\n", (1, 5), "must be text", id="a list as a key"),
        pytest.param("~: 1\n", (1, 1), "must be text, not null", id="null as a key"),
        pytest.param("a: .inf\n", (1, 4), "'.inf'", id="infinity"),
        pytest.param("a: !!int x\n", (1, 4), "cannot decode 'x' as a !!int", id="a tag that does not fit"),
        pytest.param("a: !!binary '%'\n", (1, 4), "base64", id="bad base64"),
        pytest.param("a: 1\n--- x: 1\n", (2, 1), "must stand alone", id="a document on the separator's line"),
        pytest.param('a: "x\\/y"\n', (1, 6), "no escape in YAML", id="an escape that kubectl does not know"),
        pytest.param('{"a": 1}\n{"b": 2}\n}', (3, 1), "must be another one", id="rubbish after JSON"),
        pytest.param("[" * 100_000, (1, 1), "nested", id="deep JSON"),
        pytest.param("a: " + "[" * 20_000, None, "", id="deep YAML"),
        pytest.param(_BOMB, None, "expand too far", id="an alias bomb"),
    ],
)
def test_a_fault_has_its_place(text: str, place: tuple[int, int] | None, part: str) -> None:
    message, line, column = fault(text)
    assert part in message
    assert place is None or (line, column) == place


def test_a_harmless_use_of_aliases_is_read() -> None:
    lines = ["base: &base {a: 1, b: 2}", *(f"k{number}: *base" for number in range(300))]
    assert only("\n".join(lines)).data["k299"] == {"a": 1, "b": 2}


def test_a_deep_list_is_read_as_far_as_the_parser_goes() -> None:
    assert only("a: " + "[" * 200 + "]" * 200).data["a"]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("# only a comment\n", 0),
        ("---\n---\n# c\n---\n", 0),
        ("null\n", 0),
        ("---\na: 1\n---\n", 1),
        ("a: 1\n---\n\n---\nb: 1\n", 2),
        ("a: 1\n...\nrest: [\n", 1),
        ("[]\n", 1),
        ("null\n---\na: 1\n", 1),
    ],
    ids=["nothing", "a comment", "separators", "null", "one", "an empty one between", "an end marker", "an empty list", "null first"],
)
def test_documents_that_hold_nothing_are_none(text: str, count: int) -> None:
    assert len(list(documents(text))) == count
