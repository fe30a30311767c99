"""Texts for the quick reader, right and wrong ones, put together from pieces of lines."""

from hypothesis import strategies as st

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
            "{ }",
            "{a: 1}",
            "[a]",
            "[a, 'b c' , \"d, e\",-1]",
            "[-p, 80, --q=r, 1e3, ~]",
            "[a b  c, d/e.f]",
            "[a, ]",
            "[, a]",
            "[a:b]",
            "[a: b]",
            "[a #b]",
            "[a] b",
            "[[a]]",
            "[a, {b: c}]",
            "{a: 1, b: x y, c.d/e: 'f, g'}",
            "{a: 1, a: 2}",
            "{a:1}",
            "{a: }",
            "{a, b: 1}",
            "{on: 1}",
            "{a: b:c}",
            "{a: [b]}",
            "{a: 1",
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
TEXTS = st.builds(lambda lines, end: "\n".join(lines) + end, st.lists(_LINES, min_size=1, max_size=6), st.sampled_from(["", "\n", "\n\n"]))
# Mostly what the reader knows: otherwise few texts of several lines would get past it.
_KNOWN_VALUES = st.sampled_from(
    [
        "",
        "",
        "x",
        "x y",
        "x:y",
        "64",
        "010",
        "1e3",
        "~",
        "-1",
        '"x"',
        '"a: b"',
        "'x # y'",
        "[]",
        "{}",
        "[a, 1]",
        "{a: 1, b: x y}",
        "a/b:1",
        "2001-01-01",
        '"é"',
    ]
)
_KNOWN_LINES = st.builds(
    lambda depth, dash, key, value, end: f"{depth * ' '}{dash}{key}: {value}{end}",
    st.sampled_from([0, 0, 2, 2, 4, 1]),
    st.sampled_from(["", "", "- ", "-   "]),
    st.sampled_from("abcdefgh") | st.text("abc", min_size=2, max_size=4),
    _KNOWN_VALUES,
    st.sampled_from(["", "", "  # c", " "]),
) | st.builds(lambda depth, value: f"{depth * ' '}- {value}", st.sampled_from([0, 2, 4]), _KNOWN_VALUES)
KNOWN_TEXTS = st.builds(
    lambda lines, odd: "\n".join(lines if odd is None else [*lines[:-1], odd, *lines[-1:]]),
    st.lists(_KNOWN_LINES, min_size=1, max_size=5),
    st.none() | st.none() | _LINES,
)
