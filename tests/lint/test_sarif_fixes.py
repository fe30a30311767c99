"""The fixes of a SARIF report: put into the file where they say, each repairs its finding."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.lint.manifests import bad_pod, good_pod
from tests.lint.rendering import ENGINE, rendered
from webhook.lint.fix import Fixer
from webhook.lint.report import Report
from webhook.lint.run import Checker

SCHEMA = json.loads(Path(__file__).with_name("schemas.json").read_text(encoding="utf-8"))["sarif"]
ONE_CARD_TOO_MANY = good_pod().replace('"2"', '"02"')


def _report(text: str) -> Report:
    return Checker(ENGINE, mend=Fixer(ENGINE).repair).check_bytes("a.yaml", text.encode())


def _results(text: str) -> list[dict[str, Any]]:
    log = json.loads(rendered("sarif", _report(text)))
    jsonschema.validate(log, SCHEMA, cls=jsonschema.Draft202012Validator)
    results: list[dict[str, Any]] = log["runs"][0]["results"]
    return results


def _applied(text: str, fix: dict[str, Any]) -> str:
    """Return the text with a fix made by lines and columns alone, as a viewer of the report does."""
    (change,) = fix["artifactChanges"]
    assert change["artifactLocation"]["uri"] == "a.yaml"
    for replacement in sorted(
        change["replacements"], key=lambda one: (-one["deletedRegion"]["startLine"], -one["deletedRegion"]["startColumn"])
    ):
        text = _replaced(text, replacement)
    return text


def _replaced(text: str, replacement: dict[str, Any]) -> str:
    region = replacement["deletedRegion"]
    lines = text.split("\n")
    before = "\n".join([*lines[: region["startLine"] - 1], lines[region["startLine"] - 1][: region["startColumn"] - 1]])
    after = "\n".join([lines[region["endLine"] - 1][region["endColumn"] - 1 :], *lines[region["endLine"] :]])
    return f"{before}{replacement['insertedContent']['text']}{after}"


@pytest.mark.parametrize(
    "text",
    [
        bad_pod(),
        bad_pod("64"),
        ONE_CARD_TOO_MANY,
        f"# é😀\n---\n{good_pod()}---\n{bad_pod()}",
        bad_pod().replace("\n", "\r\n"),
    ],
    ids=["quoted", "plain", "a count", "the second document", "CRLF"],
)
def test_a_fix_repairs_its_finding(text: str) -> None:
    (result,) = _results(text)
    (fix,) = result["fixes"]
    assert _results(_applied(text, fix)) == []


def test_each_of_several_findings_has_its_own_fix() -> None:
    text = bad_pod() + "    - name: other\n      image: x\n      resources: {limits: {volcano.sh/gpu-mem.128Mi: 65}}\n"
    first, second = _results(text)
    left = _results(_applied(text, second["fixes"][0]))
    assert [result["partialFingerprints"] for result in left] == [first["partialFingerprints"]]
    assert _results(_applied(_applied(text, second["fixes"][0]), first["fixes"][0])) == []


def test_what_its_author_may_have_meant_has_no_fix() -> None:
    (result,) = _results(good_pod().replace("schedulerName: volcano", "schedulerName: other"))
    assert (result["ruleId"], "fixes" in result) == ("scheduler-conflict", False)


def test_other_formats_do_not_pay_for_repairs() -> None:
    assert [located.repairs for located in Checker(ENGINE).check_bytes("a.yaml", bad_pod().encode()).findings] == [()]
