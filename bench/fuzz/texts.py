"""Damaged YAML and JSON texts, none of which may stop the checker, hang it or make it fail."""

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, cycle
from pathlib import Path

import yaml

from bench.fuzz.outcome import Effort, Outcome, tried
from webhook import build_engine
from webhook.lint.output import Context, format_named, format_names
from webhook.lint.run import Checker

ROOT = Path(__file__).resolve().parents[2]
_MOST_BYTES = 20_000
_TOKENS = (
    *(b'"', b"'", b"{", b"}", b"[", b"]", b": ", b"- ", b"? ", b",", b"#", b"|", b">-", b"\\", b"\\u0000", b"\\ud800", b"%YAML 1.1"),
    *(b"\n", b"\r\n", b"\r", b"\t", b"\n---\n", b"\n...\n", b"--- x", b" ", b"  ", b"\x00", b"\x1b", b"\x85", b"\xe2\x80\xa8", b"\xff"),
    *(b"\xef\xbb\xbf", b"\xed\xa0\x80", b"&a ", b"*a", b"<<: *a", b"!!binary ", b"!!int ", b"!x ", b"null", b"~", b"true", b"1e999"),
    *(b"-1", b"0x7fffffffffffffffff", b".inf", b"9" * 400, b"[" * 200, b"{a: " * 200, b"- " * 200, b"# percard: ignore[memory-step] -- x"),
    *(b"\xef\xbf\xbe", b"\x7f", b"percard.webhook/limits", b"volcano.sh/gpu-num", b"aliyun.com/gpu-mem", b"--- # Source: a/b.yaml\n"),
)


def seeds() -> list[bytes]:
    """Return the texts that damage is done to: goldens, examples, JSON of both, and the YAML whose reading Go has told."""
    files = [*(ROOT / "tests/golden").rglob("*.yaml"), *(ROOT / "manifests/examples").rglob("*.yaml")]
    texts = [file.read_bytes() for file in sorted(files)]
    as_json = [json.dumps(next(yaml.safe_load_all(text)), indent=indent).encode() for text in texts[::3] for indent in (None, 2)]
    cases = json.loads((ROOT / "tests/vectors/yaml.json").read_bytes())
    return texts + as_json + [case["yaml"].encode("utf-8", "surrogatepass") for case in cases if case["yaml"]]


def damaged(originals: Sequence[bytes], seed: int) -> Iterator[bytes]:
    """Yield damaged texts without end, always the same ones for a seed."""
    chance = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
    for _ in count():
        text = chance.choice(originals)
        for _ in range(chance.randint(1, 6)):
            text = spoilt(text, originals, chance)
        yield text[:_MOST_BYTES]


def spoilt(text: bytes, originals: Sequence[bytes], chance: random.Random) -> bytes:
    """Return the text with one piece cut out, repeated, exchanged, cut off or put in, or in another encoding."""
    if chance.random() < 1 / 14:
        return text.replace(b"\n", b"\r\n") if chance.random() < 0.5 else text.decode("utf-8", "replace").encode("utf-16")
    start = chance.randint(0, len(text))
    end = min(len(text), start + chance.choice((0, 1, 1, 2, 4, 16, 64)))
    other = chance.choice(originals)
    cut = chance.randint(0, len(other))
    middle, after = chance.choice(
        [
            (b"", text[end:]),
            (text[start:end] * chance.choice((2, 3, 50)), text[end:]),
            (bytes([chance.randrange(256)]), text[start + 1 :]),
            (b"", b""),
            (other[cut : cut + chance.choice((8, 64, 512))], text[end:]),
            (chance.choice(_TOKENS), text[end:]),
        ]
    )
    return text[:start] + middle + after


def judge(texts: Iterable[bytes]) -> Outcome:
    """Check every text and render its report in one format after the other."""
    engine = build_engine()
    checker = Checker(engine)
    formats = cycle(format_named(name) for name in format_names())
    context = Context(version=lambda: "0", checks=engine.checks)

    def one(text: bytes) -> str:
        report = checker.check_bytes("x.yaml", text)
        next(formats).render(report, context).encode()
        return "unreadable" if report.unreadable else "findings" if report.findings else "clean or skipped"

    return tried(texts, one)


def fuzz(effort: Effort) -> Outcome:
    """Check as many damaged texts as are asked for."""
    return judge(effort.of(damaged(seeds(), effort.seed)))
