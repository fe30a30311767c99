"""Damaged files: whatever the bytes are, a run ends with a report that every format can render."""

from hypothesis import given
from hypothesis import strategies as st

from tests.lint.manifests import bad_pod, good_pod
from tests.lint.rendering import CONTEXT, ENGINE
from webhook.lint.fix import Fixer
from webhook.lint.output import format_named, format_names
from webhook.lint.run import Checker

_SEEDS = [
    bad_pod().encode(),
    f"# percard: ignore[memory-step] -- why\n{good_pod()}---\n{bad_pod()}".encode(),
    b'{"kind": "Pod", "apiVersion": "v1", "spec": {"containers": [{"resources": {"limits": {"volcano.sh/gpu-mem.128Mi": 64}}}]}}',
    b"p: &p {volcano.sh/gpu-mem.128Mi: 64}\nq: *p\nr: {<<: *p}\n",
]
_PIECES = [
    *(
        b'"',
        b"'",
        b"{",
        b"}",
        b"[",
        b"]",
        b": ",
        b"- ",
        b"\n",
        b"\n---\n",
        b"\t",
        b"\r\n",
        b"#",
        b"# percard: ignore[",
        b"|",
        b">",
        b"\\ud800",
    ),
    *(
        b"&a ",
        b"*a",
        b"!!int ",
        b"!",
        b"<<: *p",
        b"1e999",
        b"9" * 5000,
        b"\x00",
        b"\x85",
        b"\xe2\x80\xa8",
        b"\xef\xbb\xbf",
        b"\xff",
        b"%YAML",
        b"\\/",
    ),
]
_FORMATS = [format_named(name) for name in format_names()]


@given(st.data())
def test_a_damaged_file_gives_a_report(data: st.DataObject) -> None:
    found = data.draw(st.sampled_from(_SEEDS))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(found)))
        end = data.draw(st.integers(start, min(len(found), start + 8)))
        found = found[:start] + data.draw(st.sampled_from(_PIECES) | st.binary(max_size=3)) + found[end:]
    report = Checker(ENGINE).check_bytes("x.yaml", found)
    assert report.files == 1
    for one in _FORMATS:
        # What cannot be encoded cannot be written either.
        one.render(report, CONTEXT).encode()


@given(st.binary(max_size=200))
def test_any_bytes_give_a_report(data: bytes) -> None:
    assert Checker(ENGINE).check_bytes("x.yaml", data).files == 1


@given(st.text(max_size=80), st.text(max_size=80))
def test_a_repair_of_any_text_ends(before: str, after: str) -> None:
    text = f"{before}\n---\n{bad_pod()}{after}"
    repaired = Fixer(ENGINE).fixed(text)
    assert Fixer(ENGINE).fixed(repaired) == repaired
