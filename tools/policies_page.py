"""The tables of docs/policies.md: what policies cover, and what evaluating them costs."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from tools.markdown import code, table
from webhook import build_engine
from webhook.policies import coverage
from webhook.policies.model import VERSIONS

ROOT = Path(__file__).resolve().parent.parent
COSTS = ROOT / "tests" / "e2e" / "policies" / "costs.json"
_TABLE = re.compile(r"(<!-- begin table: (?P<name>[a-z]+) -->\n).*?(<!-- end table: (?P=name) -->)", re.DOTALL)


def policies() -> str:
    """Return docs/policies.md with the tables between their markers."""
    text = (ROOT / "docs" / "policies.md").read_text(encoding="utf-8")
    return _TABLE.sub(lambda block: f"{block[1]}{TABLES[block['name']]()}\n{block[3]}", text)


def _checks() -> str:
    rows = [(f"[{code(one.check)}](checks.md#{one.check})", *one.versions, one.remark) for one in coverage.checks(build_engine())]
    return table(("check", *(f"{version}" for version in VERSIONS), "what differs, or why not"), rows)


def _dialects() -> str:
    rows = [(dialect.title, "no" if reason else "yes", reason) for dialect, reason in coverage.dialects(build_engine())]
    return table(("dialect", "policies", "why not"), rows)


def _costs() -> str:
    return table(("policy", "one container", "ten", "a hundred", "all that a policy judges"), _cost_rows())


def _cost_rows() -> Iterator[tuple[str, ...]]:
    for policy, costs in json.loads(COSTS.read_text(encoding="utf-8")).items():
        yield code(policy), *(f"{cost:,}" for cost in costs.values())


TABLES: dict[str, Callable[[], str]] = {"checks": _checks, "dialects": _dialects, "costs": _costs}
