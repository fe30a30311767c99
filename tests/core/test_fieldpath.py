"""FieldPath: the text that Kubernetes would write, the pointer that RFC 6901 wants, nothing that breaks a line."""

import jsonpointer
import pytest

from webhook.core.fieldpath import FieldPath, printable
from webhook.core.finding import ABSENT, quoted, shown

TEXTS: dict[str, tuple[tuple[str | int, ...], str]] = {
    "the document itself": ((), ""),
    "plain names": (("spec", "schedulerName"), "spec.schedulerName"),
    "an index": (("spec", "containers", 1, "image"), "spec.containers[1].image"),
    "an index at the root": ((0, "spec"), "[0].spec"),
    "a key with a slash": (("limits", "volcano.sh/gpu-mem.128Mi"), "limits[volcano.sh/gpu-mem.128Mi]"),
    "a key with a dot": (("labels", "a.b"), "labels[a.b]"),
    "a key that begins with a digit": (("labels", "1a"), "labels[1a]"),
    "a key that looks like an index": (("labels", "0"), "labels[0]"),
    "an empty key": (("labels", ""), "labels[]"),
    "a name with a dash": (("spec", "my-field"), "spec.my-field"),
    "a key of another script": (("labels", "é"), "labels[é]"),
    "a line feed in a key": (("labels", "a\nb"), "labels[a\\u000ab]"),
    "an escape sequence of a terminal in a key": (("labels", "\x1b[31m"), "labels[\\u001b[31m]"),
    "a change of direction in a key": (("labels", "a\u202eb"), "labels[a\\u202eb]"),
    "half a surrogate pair in a key": (("labels", "a\ud800"), "labels[a\\ud800]"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_path_reads_as_kubernetes_writes_it(name: str) -> None:
    parts, text = TEXTS[name]
    assert str(FieldPath(parts)) == text


@pytest.mark.parametrize(
    ("parts", "pointer"),
    [
        ((), ""),
        (("spec", "containers", 0), "/spec/containers/0"),
        (("a/b", "c~d", "~1", "/~"), "/a~1b/c~0d/~01/~1~0"),
        (("", "0"), "//0"),
    ],
)
def test_a_pointer_escapes_slashes_and_tildes(parts: tuple[str | int, ...], pointer: str) -> None:
    assert FieldPath(parts).pointer() == pointer


def test_a_pointer_leads_an_independent_reader_to_the_value() -> None:
    path = FieldPath(("metadata", "annotations", "vke.volcengine.com/a~b", 1))
    document = {"metadata": {"annotations": {"vke.volcengine.com/a~b": [1, "here"]}}}
    assert jsonpointer.resolve_pointer(document, path.pointer()) == "here"


def test_a_child_is_a_new_path_and_equal_paths_are_one_key() -> None:
    parent = FieldPath(("spec",))
    assert parent.child("containers", 0) == FieldPath(("spec", "containers", 0))
    assert parent == FieldPath(("spec",))
    assert len({parent, FieldPath(("spec",))}) == 1


_HIDING = ("\x00", "\t", "\n", "\x7f", "\x9f", "\u200b", "\u2028", "\u202e", "\u2066", "\ufeff", "\udfff", "\uffff")


@pytest.mark.parametrize("character", _HIDING, ids=lambda character: f"U+{ord(character):04X}")
def test_a_character_that_breaks_a_line_or_hides_is_escaped(character: str) -> None:
    assert printable(f"a{character}b") == f"a\\u{ord(character):04x}b"


@pytest.mark.parametrize("text", ["plain text", "é ü ß", "卡数", "№ ½", "🙂"])
def test_text_that_one_can_read_stays(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("64", "64"),
        (65, "65"),
        (1.5, "1.5"),
        (None, "null"),
        (True, "true"),
        (False, "false"),
        ([1], "a list"),
        ({"secret": 1}, "a mapping"),
        ("a" * 64, "a" * 64),
        ("a" * 65, "a" * 63 + "…"),
        ("\n" * 65, ("\\u000a" * 11)[:63] + "…"),
        (10**63, "1" + "0" * 63),
        (10**64, "a number of more than 64 digits"),
    ],
)
def test_a_value_is_shown_in_64_characters_and_never_with_its_contents(written: object, text: str) -> None:
    assert shown(written) == text
    assert quoted(written) == f"'{text}'"
    assert len(text) <= 64


def test_a_number_of_more_digits_than_python_prints_is_shown_by_its_size() -> None:
    assert shown(-(10**5000)) == "a number of more than 64 digits"


def test_a_field_that_is_not_there_says_so_of_itself() -> None:
    assert repr(ABSENT) == "ABSENT"
