"""Damaged settings files: each is settings that an engine is built from, or a refusal that names what must be."""

import json
import random
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.fuzz.outcome import Effort, Outcome, tried
from bench.fuzz.texts import ROOT, spoilt
from webhook import build_engine
from webhook.settings.in_force import settings_in_force
from webhook.settings.loading import Sources, load
from webhook.settings.problems import SettingsError

_WORDS = (b"off", b"5s", b"-1s", b"1e9", b"7MiB", b"0", b"9" * 30, b"null", b"[]", b"{}", b"'2'", b"../x", b"\xc3\xa9", b"nvidia.com/*")


def _seeds() -> list[bytes]:
    """Return settings of every name, one file with all of them and one for each."""
    single = [_nested(one.path.split("."), json.dumps(one.value)) for one in settings_in_force(Sources())]
    shipped = [(ROOT / "manifests/base/server/settings.yaml").read_bytes()]
    return [*single, *shipped, *(b"\n".join(single[index::7]) for index in range(7))]


def _nested(path: list[str], value: str) -> bytes:
    lines = [f"{'  ' * depth}{name}:" for depth, name in enumerate(path)]
    return ("\n".join(lines) + f" {value}\n").encode()


def _damaged(originals: list[bytes], seed: int) -> Iterator[bytes]:
    chance = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
    for _ in count():
        text = chance.choice(originals)
        if chance.random() < 0.5:
            head, _, _ = text.rstrip().rpartition(b" ")
            text = head + b" " + chance.choice((*_WORDS, chance.choice(originals).rpartition(b" ")[2]))
        for _ in range(chance.randint(0, 3)):
            text = spoilt(text, originals, chance)
        yield text


def fuzz(effort: Effort) -> Outcome:
    """Read as many files as are asked for."""
    with TemporaryDirectory(prefix="percard-fuzz-") as folder:
        file = Path(folder) / "percard.yaml"

        def one(text: bytes) -> str:
            file.write_bytes(text)
            try:
                settings = load(Sources(file, {})).settings
            except SettingsError as refusal:
                str(refusal).encode()
                return "refused"
            build_engine(settings)
            return "taken"

        return tried(effort.of(_damaged(_seeds(), effort.seed)), one)
