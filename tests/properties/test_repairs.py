"""Whatever shares do not divide, `percard fix` makes them divide, changes nothing else, and has nothing to do a second time."""

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from tests.support.pods import CG_CORE, CG_COUNT, CG_MEMORY, ENGINE, MG_CORE, MG_LIST, MG_MEMORY, MG_POLICY, XG_CORE, XG_COUNT, XG_MEMORY
from webhook.lint.documents import dump
from webhook.lint.fix import Fixer
from webhook.lint.run import Checker

QUOTES = st.sampled_from(["", "'", '"'])
CARDS = st.integers(1, 6)
# From 1 GiB to 64 GiB and from 6 % to 90 % on each of six cards: in range for all three, before and after.
AMOUNTS = {
    MG_MEMORY: st.integers(6 * 1024, 65_536),
    MG_CORE: st.integers(6, 90),
    XG_MEMORY: st.integers(6, 512),
    XG_CORE: st.integers(30, 90),
    CG_MEMORY: st.integers(6, 64),
    CG_CORE: st.integers(5, 90),
}
STEPS = {"memory-step", "core-step"}


@st.composite
def manifests(draw: st.DrawFn) -> str:
    """Draw a pod of one vendor whose amounts may not divide, its requests equal to its limits or left out."""
    memory, core, key = draw(
        st.sampled_from([(MG_MEMORY, MG_CORE, MG_LIST), (XG_MEMORY, XG_CORE, XG_COUNT), (CG_MEMORY, CG_CORE, CG_COUNT)])
    )
    cards = draw(CARDS)
    needs_core = key == MG_LIST or (draw(st.booleans()) and (key != CG_COUNT or cards == 1))
    limits = {name: draw(AMOUNTS[name]) for name in ((memory, core) if needs_core else (memory,))}
    listed = {"annotations": {MG_LIST: str(cards), MG_POLICY: "native-burst-share"}} if key == MG_LIST else {"labels": {key: str(cards)}}
    requests = {name: value for name, value in limits.items() if draw(st.booleans())}
    container = {"name": "app", "image": "app", "resources": {"requests": requests, "limits": limits} if requests else {"limits": limits}}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x", **listed}, "spec": {"containers": [container]}}
    text = json.dumps(pod, indent=1) if draw(st.booleans()) else dump([pod])
    return re.sub(r"(?m)(: )(\d+)(,?)$", lambda match: f"{match[1]}{_quoted(match[2], draw(QUOTES), text)}{match[3]}", text)


def _quoted(number: str, quote: str, text: str) -> str:
    quote = '"' if quote == "'" and text.startswith("{") else quote
    return f"{quote}{number}{quote}"


def _checks(text: str) -> set[str]:
    return {located.finding.check for located in Checker(ENGINE).check_bytes("x", text.encode()).findings}


def _without_amounts(text: str) -> str:
    return re.sub(r"\d+", "N", text)


@given(manifests())
def test_shares_that_do_not_divide_are_repaired(text: str) -> None:
    before = _checks(text)
    assert before <= STEPS
    fixed = Fixer(ENGINE).fixed(text)
    assert _checks(fixed) == set()
    assert _without_amounts(fixed) == _without_amounts(text)
    assert (fixed == text) is (not before)
    assert Fixer(ENGINE).fixed(fixed) == fixed
