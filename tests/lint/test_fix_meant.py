"""A value is repaired only where its author can have meant but one: an example or a bound in a hint is none."""

import re
from pathlib import Path

import pytest

from tests.lint.manifests import bad_pod, good_pod
from tests.lint.rendering import ENGINE
from webhook.lint.fix import SAFE, UNSAFE, Fixer
from webhook.lint.run import Checker

LISTED = """\
apiVersion: v1
kind: Pod
metadata:
  name: trial
  annotations: {vke.volcengine.com/container-multiple-gpu: COUNTS, vke.volcengine.com/mgpu-compute-policy: native-burst-share}
spec:
  containers:
"""
ASKS = "    - {name: NAME, image: app, resources: {limits: {vke.volcengine.com/mgpu-memory: 4096, vke.volcengine.com/mgpu-core: 32}}}\n"


def _fixed(text: str, *, unsafe: bool = False) -> str:
    return Fixer(ENGINE, unsafe=unsafe).fixed(text)


def _checks(text: str) -> list[str]:
    return [located.finding.check for located in Checker(ENGINE).check_bytes("a.yaml", text.encode()).findings]


@pytest.mark.parametrize(
    ("counts", "repaired"),
    [
        ("'02,+4'", "'2,4'"),
        ("'2, 02'", "'2,2'"),
        ("'02'", "'2'"),
        ("'2,two'", "'2,two'"),
        ("'02,two'", "'02,two'"),
        ("'2,65'", "'2,65'"),
        ("'2'", "'2'"),
    ],
    ids=["two entries", "an entry and a blank", "one for two", "a word", "an entry beside a word", "too many", "too few"],
)
def test_a_list_of_counts_never_loses_an_entry(counts: str, repaired: str) -> None:
    text = LISTED + ASKS.replace("NAME", "a") + ASKS.replace("NAME", "b")
    assert _fixed(text.replace("COUNTS", counts)) == text.replace("COUNTS", repaired)


def test_an_entry_too_many_that_is_no_count_is_not_dropped() -> None:
    text = LISTED.replace("COUNTS", "'02,two'") + ASKS.replace("NAME", "a")
    assert _fixed(text) == text


@pytest.mark.parametrize("written", ["two", "100", "0", "-1"])
def test_a_count_that_can_mean_anything_is_left(written: str) -> None:
    text = good_pod().replace('"2"', f'"{written}"')
    assert _checks(text) == ["card-count"]
    assert _fixed(text, unsafe=True) == text


@pytest.mark.parametrize("written", ["abc", "0", "-5"])
def test_an_amount_that_can_mean_anything_is_left(written: str) -> None:
    text = bad_pod(f'"{written}"').replace('"3"', '"2"')
    assert _checks(text) == ["quantity"]
    assert _fixed(text, unsafe=True) == text


def test_the_page_tells_every_check_that_is_repaired() -> None:
    safe, unsafe = (Path(__file__).parents[2] / "docs/fix.md").read_text(encoding="utf-8").split("With `--unsafe`")
    rows = [
        frozenset(re.findall(r"`([a-z-]+)`(?=[^|]*\| )", "\n".join(re.findall(r"^\| `[^|]*\| ", part, re.MULTILINE))))
        for part in (safe, unsafe)
    ]
    assert rows == [SAFE, UNSAFE]
