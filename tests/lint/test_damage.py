"""A bounded part of `make fuzz`: damaged texts give a report in every format, whatever they are; the same texts each time."""

from itertools import islice

import pytest

from bench.fuzz.texts import damaged, judge, seeds
from webhook.core.engine import Engine

TEXTS = 3000


def test_damaged_texts_are_judged_without_a_fault() -> None:
    outcome = judge(islice(damaged(seeds(), seed=20), TEXTS))
    assert outcome.failed == []
    assert outcome.counts.total() == TEXTS
    # Were nearly all of one kind, the damage would be too much or too little to find anything.
    assert min(outcome.counts[kind] for kind in ("findings", "unreadable", "clean or skipped")) > TEXTS // 50


def test_the_same_seed_gives_the_same_texts() -> None:
    originals = seeds()
    first, again, other = (list(islice(damaged(originals, seed), 50)) for seed in (3, 3, 4))
    assert first == again != other


def test_a_fault_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Engine, "mentions_marks", _broken)
    outcome = judge([b"volcano.sh/gpu-num: 1\n", b"a: 1\n"])
    assert (outcome.counts, len(outcome.failed)) == ({"failed with ZeroDivisionError": 2}, 2)


def _broken(*_: object) -> None:
    raise ZeroDivisionError
