"""Steps, minima and maxima of a site's own: a dialect is judged by what its settings say."""

import dataclasses
from typing import Any

import pytest

from tests.support.pods import ENGINE, Json, alibaba, cg, errors, huawei, mg, volcengine, xg
from webhook.core.engine import Engine

CASES: dict[str, tuple[Json, Json, set[str]]] = {
    "a coarser memory step": ({"memory_step_mib": 128}, volcengine(mg(30, 2050), count="2"), {"memory-step"}),
    "a coarser compute step": ({"core_step_percent": 5}, volcengine(mg(6, 2048), count="2"), {"core-step"}),
    "a higher least memory": ({"memory_min_mib": 1024}, huawei(xg(14), count="2"), {"memory-range"}),
    "a higher least memory with a list": ({"memory_min_multi_mib": 2048}, volcengine(mg(30, 2048), count="2"), {"memory-range"}),
    "a higher least memory with a list, on one card without it": ({"memory_min_multi_mib": 2048}, volcengine(mg(30, 256)), set()),
    "less memory on a card": ({"memory_max_mib": 4096}, huawei(xg(66), count="2"), {"memory-range"}),
    "less memory on a card, in all its containers": ({"memory_max_mib": 8192}, alibaba(cg(4), cg(5)), {"memory-range"}),
    "a least compute": ({"core_min_percent": 10}, huawei(xg(64, 5)), {"core-range"}),
    "a least compute of Alibaba on one card": ({"core_min_percent": 10}, alibaba(cg(8, 5)), {"core-range"}),
    "a least compute where there can be none": ({"core_min_percent": 10}, alibaba(cg(8, 10), count="2"), {"compute-unsupported"}),
    "fewer cards": ({"max_cards": 4}, huawei(xg(64), count="8"), {"card-count"}),
    "fewer whole cards": ({"max_cards": 4}, volcengine(mg(800)), {"card-count"}),
    "more cards": ({"max_cards": 128}, huawei(xg(128), count="128"), set()),
    "a unit of MiB": (
        {"memory_unit_mib": 1, "memory_step_mib": 1, "memory_min_mib": 1},
        alibaba(cg(8193), count="2"),
        {"memory-step"},
    ),
    "another scheduler": ({"scheduler_name": "mine"}, alibaba(cg(8), schedulerName="mine"), set()),
    "another scheduler, not the usual": ({"scheduler_name": "mine"}, huawei(xg(64), schedulerName="volcano"), {"scheduler-conflict"}),
    "one more scheduler": ({"accepted_schedulers": ("mine",)}, huawei(xg(64), schedulerName="mine"), set()),
    "switched off": ({"enabled": False}, huawei(xg("1.5"), count="two"), set()),
}
WRONG_ANYHOW = ("a least compute where there can be none", "a unit of MiB")


def _engine(**settings: Any) -> Engine:
    return Engine([dataclasses.replace(dialect, **settings) for dialect in ENGINE.dialects], ENGINE.checks, ENGINE.rules)


@pytest.mark.parametrize("name", CASES)
def test_a_dialect_is_judged_by_its_settings(name: str) -> None:
    settings, whole, expected = CASES[name]
    assert errors(whole, engine=_engine(**settings)) == expected


@pytest.mark.parametrize("name", [name for name, (_, _, expected) in CASES.items() if expected and name not in WRONG_ANYHOW])
def test_what_a_setting_forbids_is_else_allowed(name: str) -> None:
    assert errors(CASES[name][1]) == set()
