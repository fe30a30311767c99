"""Each kind of value accepts what it says and refuses the rest with what to write instead."""

from pathlib import Path
from typing import Any

import pytest

from webhook.settings.kinds import Choice, File, Flag, Kind, Refused, Text, Texts, UnusableValueError, Whole, plain_scalar
from webhook.settings.measures import Duration, Size

WORD = Text(r"[a-z]+", "a word")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("off", "off"),
        ("on", "on"),
        ("yes", "yes"),
        ("No", "No"),
        ("True", "True"),
        ("true", True),
        ("false", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("0", 0),
        ("-12", -12),
        ("8443", 8443),
        ("010", "010"),
        ("0x10", "0x10"),
        ("1_000", "1_000"),
        ("+1", "+1"),
        ("1.5", "1.5"),
        ("1e3", "1e3"),
        ("1:30", "1:30"),
        ("\uff12", "\uff12"),
    ],
)
def test_a_plain_scalar_is_null_boolean_decimal_or_a_word(text: str, value: object) -> None:
    assert plain_scalar(text) == value
    assert type(plain_scalar(text)) is type(value)


@pytest.mark.parametrize(
    ("kind", "written", "value"),
    [
        (Flag(), True, True),
        (Flag(), False, False),
        (Whole(1, 3), 1, 1),
        (Whole(1, 3), 3, 3),
        (Choice("a", "b"), "b", "b"),
        (WORD, "abc", "abc"),
        (WORD, "a" * 253, "a" * 253),
        (Texts(WORD), [], ()),
        (Texts(WORD), ["a", "b"], ("a", "b")),
        (File(), "/etc/tls.crt", Path("/etc/tls.crt")),
        (File(), Path("tls.crt"), Path("tls.crt")),
        (Duration("0s", "1h"), "90s", 90.0),
        (Duration("0s", "1h"), "1m30s", 90.0),
        (Duration("0s", "1h"), "1500ms", 1.5),
        (Duration("0s", "1h"), "1h", 3600.0),
        (Duration("0s", "1h"), "0s", 0.0),
        (Size("1Ki", "1Gi"), "1Ki", 1024),
        (Size("1Ki", "1Gi"), "7Mi", 7 * 1024 * 1024),
        (Size("1Ki", "1Gi"), "1Gi", 1024**3),
    ],
)
def test_a_value_of_the_kind_is_read(kind: Kind, written: Any, value: object) -> None:
    assert kind.read(written) == value


@pytest.mark.parametrize(
    ("kind", "written", "message"),
    [
        (Flag(), "yes", "must be true or false, not 'yes'"),
        (Flag(), 1, "must be true or false, not '1'"),
        (Whole(1, 3), 0, "must be a whole number from 1 to 3, not '0'"),
        (Whole(1, 3), 4, "must be a whole number from 1 to 3, not '4'"),
        (Whole(1, 3), "2", "must be a whole number from 1 to 3, not '2'"),
        (Whole(0, 3), True, "must be a whole number from 0 to 3, not 'true'"),
        (Whole(1, 3), None, "must be a whole number from 1 to 3, not 'null'"),
        (Whole(1, 3), [2], "must be a whole number from 1 to 3, not a list"),
        (Choice("a", "b", "c"), "d", "must be a, b or c, not 'd'"),
        (Choice("a", "b", "c"), False, "must be a, b or c, not 'false'"),
        (WORD, "a1", "must be a word, not 'a1'"),
        (WORD, "abc\n", "must be a word, not 'abc\\u000a'"),
        (WORD, "", "must be a word, not ''"),
        (WORD, 5, "must be a word, not '5'"),
        (WORD, "a" * 254, f"must be a word, not '{'a' * 63}…'"),
        (Texts(WORD), "a", "must be a list, each item a word, not 'a'"),
        (Texts(WORD), ["a", "1"], "must be a word, not '1'"),
        (Texts(WORD), [{}], "must be a word, not a mapping"),
        (File(), "", "must be the path of a file, not ''"),
        (File(), "a\0b", "must be the path of a file, not 'a\\u0000b'"),
        (File(), 3, "must be the path of a file, not '3'"),
        (Duration("1s", "1h"), 90, "must be a duration with its unit (ms, s, m, h) from '1s' to '1h', not '90'; write '90s'"),
        (Duration("1s", "1h"), "90", "must be a duration with its unit (ms, s, m, h) from '1s' to '1h', not '90'; write '90s'"),
        (Duration("1s", "1h"), "999ms", "must be a duration with its unit (ms, s, m, h) from '1s' to '1h', not '999ms'"),
        (Duration("1s", "1h"), "61m", "must be a duration with its unit (ms, s, m, h) from '1s' to '1h', not '61m'"),
        (Duration("1s", "1h"), "1.5s", "must be a duration with its unit (ms, s, m, h) from '1s' to '1h', not '1.5s'"),
        (Duration("1s", "1h"), "5 s", "must be a duration with its unit (ms, s, m, h) from '1s' to '1h', not '5 s'"),
        (Duration("1s", "1h"), True, "must be a duration with its unit (ms, s, m, h) from '1s' to '1h', not 'true'"),
        (Size("1Ki", "1Gi"), 7, "must be a size with its unit (Ki, Mi, Gi bytes) from '1Ki' to '1Gi', not '7'; write '7Mi'"),
        (Size("1Ki", "1Gi"), "7M", "must be a size with its unit (Ki, Mi, Gi bytes) from '1Ki' to '1Gi', not '7M'"),
        (Size("2Ki", "1Gi"), "1Ki", "must be a size with its unit (Ki, Mi, Gi bytes) from '2Ki' to '1Gi', not '1Ki'"),
        (Size("1Ki", "1Gi"), "2Gi", "must be a size with its unit (Ki, Mi, Gi bytes) from '1Ki' to '1Gi', not '2Gi'"),
        (Size("1Ki", "1Gi"), "0Mi", "must be a size with its unit (Ki, Mi, Gi bytes) from '1Ki' to '1Gi', not '0Mi'"),
        (Refused("do that"), "x", "must be left out, not 'x'; do that"),
    ],
)
def test_a_value_of_another_kind_is_refused_with_what_to_write(kind: Kind, written: Any, message: str) -> None:
    with pytest.raises(UnusableValueError) as refused:
        kind.read(written)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (Flag(), "true", True),
        (Whole(1, 9), "7", 7),
        (Choice("a", "b"), "a", "a"),
        (WORD, "true", "true"),
        (Texts(WORD), "a, b", ("a", "b")),
        (Texts(WORD), "", ()),
        (Duration("0s", "1h"), "5s", 5.0),
        (Size("1Ki", "1Gi"), "2Mi", 2 * 1024 * 1024),
        (File(), "a.pem", Path("a.pem")),
    ],
)
def test_the_text_of_a_variable_is_read_by_its_kind(kind: Kind, text: str, value: object) -> None:
    assert kind.read(kind.from_text(text)) == value


@pytest.mark.parametrize(("kind", "text"), [(Flag(), "1"), (Flag(), ""), (Whole(1, 9), "07"), (Whole(1, 9), ""), (Texts(WORD), "a,,b")])
def test_the_text_of_a_variable_is_refused_where_it_is_of_another_kind(kind: Kind, text: str) -> None:
    with pytest.raises(UnusableValueError):
        kind.read(kind.from_text(text))


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        (Flag(), True),
        (Whole(1, 9), 7),
        (Choice("a", "b"), "a"),
        (WORD, "abc"),
        (Texts(WORD), ["a", "b"]),
        (File(), "/etc/tls.crt"),
        (Duration("0s", "1h"), "90s"),
        (Duration("0s", "1h"), "1500ms"),
        (Duration("0s", "1h"), "0s"),
        (Size("1Ki", "1Gi"), "1Gi"),
        (Size("1Ki", "1Gi"), "7Mi"),
        (Size("1Ki", "1Gi"), "1025Ki"),
    ],
)
def test_a_value_is_shown_as_it_is_written(kind: Kind, written: Any) -> None:
    assert kind.show(kind.read(written)) == written
