"""A thousand containers, containers of the same name, and names that are made to break what tells of them."""

import json
import xml.etree.ElementTree as ET
from typing import Any

import pytest
import yaml

from tests.lint.rendering import CONTEXT, ENGINE
from tests.support.door import ask, denied_at, operations
from tests.support.pods import LIMITS, Json, alibaba, as_template, cg, huawei, mg, mutated, volcengine, workload, xg
from webhook.lint.output import format_named
from webhook.lint.report import Report
from webhook.lint.run import Checker

CROWD = 1000
# What each card gives: 64 blocks are 8192 MiB, over two cards.
RIGHT: dict[str, tuple[Json, Json]] = {
    "volcengine": (volcengine(*[mg(30, 4096)] * CROWD, count=",".join("2" * CROWD)), {"cards": 2, "corePercent": 15, "memoryMiB": 2048}),
    "huawei": (huawei(*[xg(64)] * CROWD, count="2"), {"cards": 2, "memoryMiB": 4096}),
    "alibaba": (alibaba(*[cg(2)] * CROWD, count="2"), {"cards": 2, "memoryMiB": 1024, "memoryAtLeast": True}),
}


@pytest.mark.parametrize("dialect", RIGHT)
def test_a_thousand_containers_get_what_each_would_get_alone(dialect: str) -> None:
    whole, each = RIGHT[dialect]
    if dialect == "alibaba":
        # They sit on the same two cards, which take a million MiB each.
        assert ask("validate", whole)["allowed"] is True
    granted = json.loads(mutated(whole)["metadata"]["annotations"][LIMITS])["containers"]
    assert granted == {f"c{number}": each for number in range(CROWD)}


def test_each_of_a_thousand_wrong_containers_is_told_of_and_the_message_counts_them() -> None:
    answer = ask("validate", huawei(*[xg(63)] * CROWD, count="2"))
    causes = answer["status"]["details"]["causes"]
    assert [cause["field"].partition("]")[0] for cause in causes] == [f"spec.containers[{number}" for number in range(CROWD)]
    assert answer["status"]["message"].rpartition(" | ")[2].startswith("and 99")


@pytest.mark.parametrize(
    "whole",
    [
        volcengine(mg(30, 4096), mg(60, 8192), count="1,2"),
        volcengine(mg(30, 4096), None, mg(60, 8192), count="1,2"),
        huawei(xg(64), xg(32), count="2"),
        alibaba(cg(8), cg(4), count="2"),
    ],
)
def test_containers_of_the_same_name_are_given_nothing_that_could_be_the_other_s(whole: Json) -> None:
    """Kubernetes refuses such a pod, after /mutate has seen it."""
    for one in whole["spec"]["containers"]:
        one["name"] = "twin"
    assert operations(ask("mutate", whole)) == []


NAMES = {
    "quotes": "a'b\"c",
    "lines": "a\nb\r\nc\u2028d\x85e",
    "a terminal's colours": "\x1b[31mred\x1b[0m",
    "marks of direction": "\u202etxet\u2066",
    "a command of GitHub": "x\n::error file=a::b%0A%25",
    "the end of XML": "]]></failure><x a='&amp;'>",
    "a table of Markdown": "a|b`c`\n| d |",
    "the end of a finding": "app': all is well [memory-step] | container 'x",
    "half a pair": "\ufffd\x00",
    "a long one": "n" * 100_000,
}


def _job(name: str) -> Json:
    """Return a custom resource, whose containers no API server names for us."""
    template = as_template(huawei(xg(63), count="2"))
    template["spec"]["containers"][0]["name"] = name
    return workload("batch.volcano.sh/v1alpha1", "Job", {"tasks": [{"template": template}]}, name=name)


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_name_breaks_no_line_of_an_answer(name: str) -> None:
    answer = ask("validate", _job(name))
    ((_, cause),) = denied_at(answer).items()
    for text in (cause, answer["status"]["message"], *ask("validate/warn", _job(name))["warnings"]):
        assert text.isprintable()
        assert text.startswith("percard: ")
        assert text.endswith("[memory-step]")
        assert len(text) < 1000


def _report(name: str) -> Report:
    return Checker(ENGINE).check_bytes("x.yaml", yaml.safe_dump(_job(name), allow_unicode=False).encode())


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_name_is_one_finding_in_every_report(name: str) -> None:
    report = _report(name)
    assert len(report.findings) == 1
    texts: dict[str, Any] = {
        kind: format_named(kind).render(report, CONTEXT) for kind in ("json", "sarif", "gitlab", "junit", "github", "tap", "markdown")
    }
    assert len(json.loads(texts["json"])["findings"]) == 1
    assert len(json.loads(texts["sarif"])["runs"][0]["results"]) == 1
    assert len(json.loads(texts["gitlab"])) == 1
    assert len(ET.fromstring(texts["junit"]).findall(".//failure")) == 1  # noqa: S314 – what percard itself has written
    assert [line.partition(" ")[0] for line in texts["github"].splitlines() if line.startswith("::")] == ["::error"]
    assert next(line for line in texts["tap"].splitlines() if line.startswith(("ok", "not ok"))).startswith("not ok 1")
    assert sum(line.startswith("| ") for line in texts["markdown"].splitlines()) == sum(
        line.startswith("| ") for line in format_named("markdown").render(_report("plain"), CONTEXT).splitlines()
    )
