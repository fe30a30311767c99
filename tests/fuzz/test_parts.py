"""A short form of the other parts of `make fuzz`, each of which notices a fault."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bench.fuzz import certificates, quantities, settings
from bench.fuzz.outcome import Effort, Outcome
from bench.fuzz.run import PARTS, main

FEW = Effort(0, 400, seed=11)


@pytest.mark.parametrize(
    ("fuzz", "kinds"),
    [
        pytest.param(quantities.fuzz, ("a number", "no number"), id="quantities"),
        pytest.param(settings.fuzz, ("taken", "refused"), id="settings"),
        pytest.param(certificates.fuzz, ("refused",), id="certificates"),
    ],
)
def test_nothing_fails(fuzz: Callable[[Effort], Outcome], kinds: tuple[str, ...]) -> None:
    outcome = fuzz(FEW)
    assert outcome.failed == []
    assert outcome.counts.total() == FEW.count
    assert [kind for kind in kinds if outcome.counts[kind] < 20] == []


def test_a_number_that_is_read_wrongly_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quantities, "parse_quantity", lambda _: 7)
    assert len(quantities.fuzz(FEW).failed) > 100


def test_a_fault_is_told_and_the_input_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(quantities, "parse_quantity", lambda _: 1 // 0)
    assert main(["quantities", "--count", "3", "--keep", str(tmp_path)]) == 1
    assert "3 failed with ZeroDivisionError" in capsys.readouterr().out
    assert sorted(file.name for file in tmp_path.iterdir()) == ["quantities-0", "quantities-1", "quantities-2"]


def test_an_effort_ends_by_the_clock_or_by_the_count(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter(range(100))
    monkeypatch.setattr("bench.fuzz.outcome.time.monotonic", lambda: next(moments))
    # The first look says 0, so that the end is at 5: inputs at 1, 2, 3 and 4 are before it.
    assert len(list(Effort(5, None, 1).of(iter([b""] * 50)))) == 4
    assert len(list(Effort(5, 7, 1).of(iter([b""] * 50)))) == 7


def test_every_part_has_its_row_in_the_page_on_reliability() -> None:
    text = (Path(__file__).resolve().parents[2] / "docs/reliability.md").read_text(encoding="utf-8")
    assert [name for name in PARTS if f"`make fuzz ARGS={name}`" not in text] == []
