"""Policies compile on the oldest Kubernetes that they are for, and cost far less than an API server allows."""

import json
import os
from pathlib import Path

import pytest

from tests.e2e.policies import costs
from tests.e2e.programs import Programs
from webhook import build_engine, load_settings
from webhook.policies.generation import policies
from webhook.policies.shares import MOST_UNIT_TIMES_STEP

# An API server takes no new expression that the version before its own would not understand.
_UNDERSTOOD = {"1.30": "1.29", "1.32": "1.31", "1.36": "1.35"}


@pytest.fixture(scope="module")
def evaluator(programs: Programs) -> Path:
    """Build the evaluator where the programs of a control plane can be had."""
    assert programs.apiserver.exists()
    return costs.built()


@pytest.mark.parametrize("version", ["1.30", "1.32", "1.36"])
def test_the_policies_for_a_version_compile_with_what_its_api_server_understands(version: str, evaluator: Path) -> None:
    made = list(policies(build_engine(), "validating", version))  # type: ignore[arg-type]
    assert costs.evaluated(evaluator, _UNDERSTOOD[version], made, [])["errors"] == []


def test_an_expression_that_an_old_api_server_does_not_understand_is_noticed(evaluator: Path) -> None:
    made = json.loads(json.dumps(list(policies(build_engine(), "validating"))))
    made[0]["spec"]["variables"][0]["expression"] = "[1, 2].transformList(i, v, i + v)"
    assert "undeclared reference" in costs.evaluated(evaluator, "1.29", made, [])["errors"][0]


def test_no_expression_fails_where_settings_and_amounts_are_as_large_as_can_be(evaluator: Path) -> None:
    step = MOST_UNIT_TIMES_STEP // 1024
    largest = {"memory_step_mib": step, "memory_min_mib": step, "memory_max_mib": 1 << 40, "max_cards": 65536}
    settings = {f"dialects.{dialect}.{name}": value for dialect in ("alibaba", "huawei", "volcengine") for name, value in largest.items()}
    engine = build_engine(load_settings(None, {}, settings))
    made = list(policies(engine, "validating"))
    assert len(made) > 1
    answer = costs.evaluated(evaluator, "1.36", made, costs.largest(50))
    assert answer["errors"] == []
    assert [cost["error"] for cost in answer["costs"] if "error" in cost] == []


def test_no_expression_exceeds_its_budget_and_the_costliest_objects_take_half_of_a_policy_s_at_most(evaluator: Path) -> None:
    made = list(policies(build_engine(), "validating"))
    found: dict[str, dict[str, int]] = {}
    for size in costs.SIZES:
        answer = costs.evaluated(evaluator, "1.36", made, costs.costliest(size))
        assert [cost["error"] for cost in answer["costs"] if "error" in cost] == []
        for cost in answer["costs"]:
            assert costs.of_policy(cost) <= costs.PER_POLICY / 2
            of_sizes = found.setdefault(cost["policy"], {})
            of_sizes[str(size)] = max(of_sizes.get(str(size), 0), costs.of_policy(cost))
    if os.environ.get("PERCARD_REWRITE_COSTS"):
        costs.FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    assert json.loads(costs.FILE.read_text(encoding="utf-8")) == found
