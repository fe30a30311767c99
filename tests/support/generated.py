"""Hypothesis strategies: any JSON value, right and wrong pods of each dialect, pods with arbitrary damage."""

import copy
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from tests.support.pods import (
    CG_COUNT,
    CG_MEMORY,
    LIMITS,
    MG_LIST,
    MG_POLICY,
    XG_COUNT,
    XG_MEMORY,
    Json,
    alibaba,
    cg,
    huawei,
    mg,
    volcengine,
    xg,
)

KEYS = st.sampled_from(
    [
        *("metadata", "spec", "labels", "annotations", "containers", "initContainers", "resources", "limits", "requests", "env", "name"),
        *("kind", "apiVersion", "items", "template", "schedulerName", "nodeName", "ownerReferences", "deletionTimestamp", "value"),
        *(MG_LIST, MG_POLICY, XG_COUNT, XG_MEMORY, CG_COUNT, CG_MEMORY, LIMITS, "nvidia.com/gpu", "aliyun.com/gpu-core"),
    ]
)
WORDS = st.sampled_from(
    ["2", "0", "02", "2,0", "4Ki", "8Gi", "500m", "-1", "", "abc", "volcano", "v1", "batch/v1", "Pod", "List", "a.b/v1"]
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=-(10**400), max_value=10**400)
    | st.floats()
    | st.text(max_size=20)
    | WORDS
)
# Python refuses to print these.
HUGE = st.booleans().map(lambda minus: -(10**5000) if minus else 10**5000)


def _values(scalars: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    keys = KEYS | st.text(max_size=8)
    return st.recursive(scalars, lambda values: st.lists(values, max_size=4) | st.dictionaries(keys, values, max_size=5))


ANY_JSON = _values(SCALARS)
HOSTILE_JSON = _values(SCALARS | HUGE)

COUNTS = st.integers(min_value=1, max_value=9) | st.integers(min_value=1, max_value=70)
# One in three around the number of cards, below which a card would get less than 1 %.
PERCENTS = COUNTS | st.integers(min_value=1, max_value=900) | st.integers(min_value=1, max_value=60).map(lambda steps: 5 * steps)


@st.composite
def volcengine_pods(draw: st.DrawFn) -> Json:
    """Draw a Volcengine pod, right or wrong: a list or none, some containers without a share."""
    limits = draw(st.lists(st.none() | st.builds(mg, st.none() | PERCENTS, st.none() | st.integers(1, 70_000)), min_size=1, max_size=4))
    entries = [draw(COUNTS) if limit else draw(st.sampled_from([0, 0, 0, 1])) for limit in limits]
    count = draw(st.none() | st.just(",".join(map(str, entries))))
    return volcengine(*limits, count=count, policy=draw(st.sampled_from(["native-burst-share"] * 5 + ["fixed-share"])))


@st.composite
def huawei_pods(draw: st.DrawFn) -> Json:
    """Draw a Huawei pod, right or wrong."""
    limits = draw(st.lists(st.none() | st.builds(xg, st.none() | st.integers(1, 600), st.none() | PERCENTS), min_size=1, max_size=4))
    return huawei(*limits, count=draw(st.none() | COUNTS.map(str)))


@st.composite
def alibaba_pods(draw: st.DrawFn) -> Json:
    """Draw an Alibaba pod, right or wrong."""
    share = st.builds(cg, st.none() | st.integers(1, 200), st.none() | PERCENTS, st.none() | st.integers(1, 90))
    return alibaba(*draw(st.lists(st.none() | share, min_size=1, max_size=4)), count=draw(st.none() | COUNTS.map(str)))


PODS = volcengine_pods() | huawei_pods() | alibaba_pods()


@st.composite
def right_pods(draw: st.DrawFn) -> Json:
    """Draw a pod that divides: built from what each card gives."""
    dialect, cards = draw(st.sampled_from(["volcengine", "huawei", "alibaba"])), draw(st.integers(1, 16))
    each = [draw(st.tuples(st.integers(1, 100), st.integers(1, 19))) for _ in range(draw(st.integers(1, 3)))]
    if dialect == "volcengine":
        asks = [mg(percent * cards, (1024 + memory) * cards) for memory, percent in each]
        return volcengine(*asks, None, count=",".join([str(cards)] * len(asks) + ["0"]))
    if dialect == "huawei":
        return huawei(*[xg(memory * cards, draw(st.none() | st.just(5 * percent * cards))) for memory, percent in each], count=str(cards))
    return alibaba(*[cg(memory * cards) for memory, _ in each], None, count=str(cards))


ALL_PODS = PODS | right_pods()


@st.composite
def damaged(draw: st.DrawFn, whole: st.SearchStrategy[Json] = ALL_PODS, values: st.SearchStrategy[Any] = ANY_JSON) -> Json:
    """Draw an object with up to four of its parts replaced, taken away or doubled."""
    result = copy.deepcopy(draw(whole))
    for _ in range(draw(st.integers(0, 4))):
        _damage(draw, result, values)
    return result


def _damage(draw: st.DrawFn, document: Any, values: st.SearchStrategy[Any]) -> None:
    parent: Any = document
    while True:
        keys = list(parent) if isinstance(parent, dict) else list(range(len(parent)))
        if not keys:
            return
        key = draw(st.sampled_from(keys))
        if not isinstance(parent[key], dict | list) or draw(st.integers(0, 5)) == 0:
            break
        parent = parent[key]
    how = draw(st.sampled_from(["replace", "remove", "double", "rename"]))
    if how == "replace":
        parent[key] = draw(values)
    elif how == "remove":
        del parent[key]
    elif isinstance(parent, dict):
        parent[draw(KEYS)] = copy.deepcopy(parent[key]) if how == "double" else parent.pop(key)
    else:
        parent.insert(draw(st.integers(0, len(parent))), copy.deepcopy(parent[key]))


def spellings(number: int) -> st.SearchStrategy[Any]:
    """Return ways to write a whole number that Kubernetes reads as the same."""
    same: list[Any] = [number, str(number), f"{number}.0", f"+{number}", f"0{number}", f"{number}000m", f"{number}e0", f"{number}0E-1"]
    same += [float(number), f" {number}", f"{Fraction(number, 1000)}k"] if number % 1000 == 0 else [float(number)]
    same += [f"{number // 1024}Ki"] if number % 1024 == 0 else []
    return st.sampled_from(same)
