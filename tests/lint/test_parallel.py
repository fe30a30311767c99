"""Several processes report what one does, and fail as one does."""

import os
import time
from pathlib import Path

import pytest

from tests.lint.manifests import PLAIN, bad_pod, good_pod
from webhook import build_engine
from webhook.core.engine import Engine, Verdict
from webhook.lint.parallel import check_all
from webhook.lint.run import Checker
from webhook.lint.sources import find_sources


@pytest.fixture(scope="module")
def engine() -> Engine:
    return build_engine()


def test_several_processes_report_the_same(tmp_path: Path, engine: Engine) -> None:
    for number in range(200):
        (tmp_path / f"{number:03}.yaml").write_text(bad_pod() if number % 3 else PLAIN, encoding="utf-8")
    sources = [*find_sources([str(tmp_path), str(tmp_path / "no")])]
    assert check_all(Checker(engine), sources, 3, lambda _: None) == check_all(Checker(engine), sources, 1, lambda _: None)


def test_a_fault_in_another_process_is_raised(tmp_path: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(200):
        (tmp_path / f"{number}.yaml").write_text(good_pod(), encoding="utf-8")
    monkeypatch.setattr(Engine, "examine", _broken)
    with pytest.raises(Exception, match="percard failed on document 0 of"):
        check_all(Checker(engine), find_sources([str(tmp_path)]), 2, lambda _: None)


def test_a_fault_in_another_process_alone_is_raised_too(tmp_path: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(200):
        (tmp_path / f"{number}.yaml").write_text(good_pod(), encoding="utf-8")
    this = os.getpid()

    def fail_elsewhere(*_: object, **__: object) -> Verdict:
        if os.getpid() != this:
            _broken()
        time.sleep(0.005)  # so that the other process gets a batch
        return Verdict()

    monkeypatch.setattr(Engine, "examine", fail_elsewhere)
    with pytest.raises(Exception, match="percard failed on document 0 of"):
        check_all(Checker(engine), find_sources([str(tmp_path)]), 2, lambda _: None)


def test_files_that_are_done_are_told_up_to_all_of_them(tmp_path: Path, engine: Engine) -> None:
    for number in range(200):
        (tmp_path / f"{number}.yaml").write_text(PLAIN, encoding="utf-8")
    told: list[int] = []
    check_all(Checker(engine), find_sources([str(tmp_path)]), 2, told.append)
    assert (told[-1], told == sorted(told)) == (200, True)


def _broken(*_: object, **__: object) -> None:
    message = "a fault"
    raise ZeroDivisionError(message)
