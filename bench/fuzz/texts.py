"""`make fuzz`: damaged YAML and JSON texts, none of which may stop the checker, hang it or make it fail."""

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import yaml

from webhook import build_engine
from webhook.lint.output import Context, format_named, format_names
from webhook.lint.run import Checker

ROOT = Path(__file__).resolve().parents[2]
MOST_SECONDS = 1.0
_MOST_BYTES = 20_000
_TOKENS = (
    *(b'"', b"'", b"{", b"}", b"[", b"]", b": ", b"- ", b"? ", b",", b"#", b"|", b">-", b"\\", b"\\u0000", b"\\ud800", b"%YAML 1.1"),
    *(b"\n", b"\r\n", b"\r", b"\t", b"\n---\n", b"\n...\n", b"--- x", b" ", b"  ", b"\x00", b"\x1b", b"\x85", b"\xe2\x80\xa8", b"\xff"),
    *(b"\xef\xbb\xbf", b"\xed\xa0\x80", b"&a ", b"*a", b"<<: *a", b"!!binary ", b"!!int ", b"!x ", b"null", b"~", b"true", b"1e999"),
    *(b"-1", b"0x7fffffffffffffffff", b".inf", b"9" * 400, b"[" * 200, b"{a: " * 200, b"- " * 200, b"# percard: ignore[memory-step] -- x"),
)


class Outcome(NamedTuple):
    """What came of all texts: how many gave what, the slowest one's CPU seconds, and the texts that failed."""

    counts: Counter[str]
    slowest_seconds: float
    failed: list[bytes]


def seeds() -> list[bytes]:
    """Return the texts that damage is done to: goldens, examples, JSON of both, and the YAML whose reading Go has told."""
    files = [*(ROOT / "tests/golden").rglob("*.yaml"), *(ROOT / "manifests/examples").rglob("*.yaml")]
    texts = [file.read_bytes() for file in sorted(files)]
    as_json = [json.dumps(next(yaml.safe_load_all(text)), indent=indent).encode() for text in texts[::3] for indent in (None, 2)]
    cases = json.loads((ROOT / "tests/vectors/yaml.json").read_bytes())
    return texts + as_json + [case["yaml"].encode("utf-8", "surrogatepass") for case in cases if case["yaml"]]


def damaged(originals: Sequence[bytes], count: int, seed: int) -> Iterator[bytes]:
    """Yield `count` damaged texts, always the same ones for a seed."""
    chance = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
    for _ in range(count):
        text = chance.choice(originals)
        for _ in range(chance.randint(1, 6)):
            text = _damage(text, originals, chance)
        yield text[:_MOST_BYTES]


def _damage(text: bytes, originals: Sequence[bytes], chance: random.Random) -> bytes:
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


def judge(texts: Iterator[bytes]) -> Outcome:
    """Check every text and render its report in one format after the other."""
    engine = build_engine()
    checker = Checker(engine)
    formats = [format_named(name) for name in format_names()]
    context = Context(version=lambda: "0", checks=engine.checks)
    outcome = Outcome(Counter(), 0.0, [])
    for number, text in enumerate(texts):
        begun = time.process_time()
        try:
            report = checker.check_bytes("x.yaml", text)
            formats[number % len(formats)].render(report, context).encode()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a failure to count
            outcome.counts[f"failed with {type(error).__name__}"] += 1
            outcome.failed.append(text)
            continue
        seconds = time.process_time() - begun
        if seconds > MOST_SECONDS:
            outcome.counts["too slow"] += 1
            outcome.failed.append(text)
        outcome = outcome._replace(slowest_seconds=max(outcome.slowest_seconds, seconds))
        outcome.counts["unreadable" if report.unreadable else "findings" if report.findings else "clean or skipped"] += 1
    return outcome


def main(arguments: Sequence[str]) -> int:
    """Run; return 0 where nothing failed and nothing took more than a second of CPU, else 1, the texts kept."""
    parser = argparse.ArgumentParser(prog="python -m bench.check.damage", description=__doc__)
    parser.add_argument("--count", type=int, default=100_000, help="how many texts (default: 100000)")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other texts (default: 1)")
    parser.add_argument("--keep", type=Path, help="folder for the texts that failed")
    options = parser.parse_args(arguments)
    outcome = judge(damaged(seeds(), options.count, options.seed))
    for what, many in sorted(outcome.counts.items()):
        print(f"{many:>8} {what}")
    print(f"the slowest took {outcome.slowest_seconds:.3f} s of CPU")
    if options.keep and outcome.failed:
        options.keep.mkdir(parents=True, exist_ok=True)
        for number, text in enumerate(outcome.failed):
            (options.keep / f"{number}.yaml").write_bytes(text)
    return 1 if outcome.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
