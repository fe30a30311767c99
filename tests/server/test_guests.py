"""Every kind of bad guest gets what docs/http.md says, soon, and harms nobody."""

import asyncio
import json
import re
from http import HTTPStatus
from pathlib import Path

import pytest

from bench.soak.callers import Callers
from bench.soak.guests import GUESTS, Guest
from bench.soak.visits import Visit, visit, visits
from tests.server.process import ROOT, Server

# Those of the fixture's server.
LIMITS = {"head": 1.0, "body": 1.4}
_ROW = re.compile(r"^\| (?P<name>[^|]+) \| (?P<answer>[^|]+) \|.*\|$", re.MULTILINE)
_PAGE = (ROOT / "docs" / "http.md").read_text(encoding="utf-8")


def _visit(server: Server, guest: Guest) -> Visit:
    return asyncio.run(visit(guest, server.port, server.trusted()))


@pytest.mark.parametrize("guest", GUESTS, ids=lambda guest: guest.name)
def test_a_guest_gets_the_documented_answer_within_a_second(server: Server, guest: Guest) -> None:
    """Once out of three, because the machine may be busy with something else."""
    problems: list[str] = []
    while len(problems) < 3 and (problem := _visit(server, guest).problem(LIMITS)):
        problems.append(problem)
    assert len(problems) < 3, problems


def test_the_page_on_http_lists_the_same_guests_with_the_same_answers() -> None:
    section = _PAGE.partition("## Bad guests")[2].partition("\n## ")[0]
    listed = {row["name"]: row["answer"] for row in _ROW.finditer(section) if not row["name"].startswith("-")}
    assert listed.pop("what comes") == "answer"
    assert listed == {guest.name: str(guest.status) if guest.status else "none" for guest in GUESTS}


def test_a_visit_can_be_found_wrong(server: Server) -> None:
    right = _visit(server, GUESTS[0])
    assert right.problem(LIMITS) == ""
    assert "405, not 404" in Visit(Guest("x", 404, tuple), 405, right.body, 0.1).problem(LIMITS)
    assert "after 1.20 s" in Visit(right.guest, 405, right.body, 1.2).problem(LIMITS)
    assert Visit(Guest("x", 0, tuple, "head"), 0, b"", 1.9).problem(LIMITS) == ""
    assert "no JSON error" in Visit(right.guest, 405, b'{"detail": 1}', 0.1).problem(LIMITS)


def test_all_guests_together_cost_the_others_no_call_and_leave_no_memory_behind(server: Server) -> None:
    asyncio.run(visits(server.port, server.trusted()))
    before = server.resident_bytes()
    callers = Callers(server.port, server.trusted(), pause_seconds=0.005)
    with callers.calling(2, 1):
        for _ in range(3):
            asyncio.run(visits(server.port, server.trusted()))
    assert (callers.kept.failures, callers.single.failures) == ([], [])
    assert callers.kept.seconds
    assert server.resident_bytes() - before < 16 << 20


def test_an_answer_that_is_no_error_is_a_review(server: Server) -> None:
    for guest in GUESTS:
        if guest.status == 200:
            assert json.loads(_visit(server, guest).body)["response"]["allowed"] is True


def test_the_page_names_every_status_that_the_server_gives() -> None:
    """The statuses stand in the server's source by their names."""
    source = "".join(file.read_text(encoding="utf-8") for file in sorted(Path(ROOT, "webhook", "server").glob("*.py")))
    names = set(re.findall(r"HTTPStatus\.([A-Z_]{3,})\b", source)) - {"OK"}
    missing = [name for name in sorted(names) if f"`{HTTPStatus[name].value}`" not in _PAGE]
    assert missing == []
