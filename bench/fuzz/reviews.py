"""Reviews to be sent to a server: right ones, ones whose object is odd, ones that are damaged, and bytes of any kind."""

import copy
import json
import random
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from bench.fuzz.texts import spoilt
from tests.support import pods as made

Json = dict[str, Any]
_RECORDED = Path(__file__).resolve().parents[2] / "tests" / "reviews"
_PATHS = ("/mutate", "/mutate", "/validate", "/validate", "/validate/warn", "/validate/audit")
_LARGE = 400
_WORDS = (
    *(
        "",
        "0",
        "-1",
        "02",
        "2,0",
        "1" * 300,
        "4Ki",
        "8Gi",
        "500m",
        "1e3",
        "1e999",
        "NaN",
        "\u0000",
        "\ud7ff",
        "a\nb",
        "'\"",
        "\u202e",
        "\uff12",
    ),
    *(made.MG_LIST, made.MG_POLICY, made.XG_COUNT, made.CG_COUNT, made.LIMITS, made.XG_MEMORY, made.CG_MEMORY, "volcano.sh/GPU-num"),
    *("volcano", "Pod", "List", "v1", "apps/v1", "a.b/v1", "kube-system", "native-burst-share", "CREATE", "UPDATE", "admission.k8s.io/v1"),
)
_NUMBERS = (0, 1, -1, 2, 64, 65, 2**31, 2**63 - 1, 2**63, -(2**63) - 1, 2**64, 0.5, 1e300, -0.0)
# What another value may be exchanged for, small and large.
_VALUES: tuple[Any, ...] = (None, True, False, [], {}, [None], {"": None}, [[[[]]]], {"a": {"b": {}}}, *_WORDS, *_NUMBERS)


class Sent(NamedTuple):
    """One request: where to, its body, and the uid that must come back; None where a refusal with 400 will do as well."""

    path: str
    body: bytes
    uid: str | None


def reviews(seed: int) -> Iterator[Sent]:
    """Yield reviews without end, always the same ones for a seed, each with a uid of its own."""
    chance = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
    texts = [file.read_bytes() for file in sorted(_RECORDED.glob("*.json"))]
    kinds: tuple[tuple[Callable[[Json], bytes | None], int], ...] = (
        (lambda _: None, 400),
        (lambda review: _damaged_object(review, chance), 350),
        (lambda review: _damaged(review, chance), 100),
        (lambda review: _spoilt(review, texts, chance), 149),
        (lambda review: _enlarged(review, chance), 1),
    )
    makers, weights = zip(*kinds, strict=True)
    for number in count():
        review, uid = _right(texts, chance), f"fuzz-{seed}-{number}"
        review["request"]["uid"] = uid
        (make,) = chance.choices(makers, weights)
        body = make(review)
        certain = body is None or make in (makers[1], makers[4])
        yield Sent(chance.choice(_PATHS), json.dumps(review).encode() if body is None else body, uid if certain else None)


def _right(texts: list[bytes], chance: random.Random) -> Json:
    """Return a recorded review as it is, or with a pod of a dialect, right or wrong, in the place of its object."""
    review: Json = json.loads(chance.choice(texts))
    if chance.random() < 0.7:
        whole = _pod(chance)
        old = _pod(chance) if chance.random() < 0.2 else None
        kind = {"group": "", "version": "v1", "kind": "Pod"}
        if chance.random() < 0.3:
            whole = made.deployment(whole)
            old = made.deployment(old) if old else None
            kind = {"group": "apps", "version": "v1", "kind": "Deployment"}
        operation = "UPDATE" if old else "CREATE"
        review["request"] |= {"kind": kind, "operation": operation, "object": whole, "oldObject": old, "subResource": ""}
    return review


def _pod(chance: random.Random) -> Json:
    """Return a pod of one of the three dialects with arbitrary figures."""
    cards, each, shares = chance.randint(1, 9), chance.randint(1, 400), chance.randint(1, 3)
    off = chance.choice((0, 0, 0, 1))
    percent = chance.choice((None, 5 * cards, 15 * cards, 100 * cards, chance.randint(1, 900)))
    build: Callable[..., Json] = chance.choice((made.volcengine, made.huawei, made.alibaba))
    if build is made.volcengine:
        entries = ",".join([str(cards)] * shares)
        return build(*[made.mg(percent, 1024 * cards * each + off)] * shares, count=chance.choice((entries, entries, None, "2,0")))
    limits = made.xg(cards * each + off, percent) if build is made.huawei else made.cg(cards * each + off, chance.choice((None, percent)))
    return build(*[limits] * shares, count=chance.choice((str(cards), str(cards), None, "02")))


def _damaged_object(review: Json, chance: random.Random) -> bytes:
    """Damage the objects, within what an API server could send: they are answered all the same."""
    for part in ("object", "oldObject"):
        if review["request"].get(part):
            review["request"][part] = _exchanged(review["request"][part], chance)
    return json.dumps(review, ensure_ascii=chance.random() < 0.5).encode("utf-8", "replace")


def _damaged(review: Json, chance: random.Random) -> bytes:
    """Damage the review anywhere."""
    return json.dumps(_exchanged(review, chance)).encode("utf-8", "replace")


def _exchanged(whole: Json, chance: random.Random) -> Json:
    for _ in range(chance.randint(1, 4)):
        parent: Any = whole
        while True:
            keys = list(parent) if isinstance(parent, dict) else list(range(len(parent)))
            if not keys:
                break
            key = chance.choice(keys)
            if isinstance(parent[key], dict | list) and chance.random() < 0.85:
                parent = parent[key]
                continue
            _exchange(parent, key, chance)
            break
    return whole


def _exchange(parent: Any, key: Any, chance: random.Random) -> None:
    value = copy.deepcopy(chance.choice(_VALUES))
    how = chance.randrange(4)
    if how == 0:
        del parent[key]
    elif how == 1 and isinstance(parent, dict):
        parent[chance.choice(_WORDS)] = parent.pop(key)
    elif how == 2 and isinstance(parent, list):
        parent.insert(key, copy.deepcopy(parent[key]))
    else:
        parent[key] = value


def _spoilt(review: Json, texts: list[bytes], chance: random.Random) -> bytes:
    """Damage the bytes, or send something else altogether."""
    body = json.dumps(review).encode()
    for _ in range(chance.randint(1, 4)):
        body = spoilt(body, texts, chance)
    return chance.choice((body, body, body, body[: chance.randint(0, 60)], b"[" * 5000, b'{"a":' * 5000, chance.randbytes(200), b"null"))


def _enlarged(review: Json, chance: random.Random) -> bytes:
    """Make the object large: containers, annotations or nesting by the hundred, still what an API server could send."""
    whole = made.volcengine(*[made.mg(30 + number % 3, 4096 + number % 5) for number in range(_LARGE)], count=",".join("2" * _LARGE))
    how = chance.randrange(4)
    if how == 0:
        whole = made.huawei(*[made.xg(63 + number % 3, 30) for number in range(_LARGE)], count="2")
    elif how == 1:
        whole["metadata"]["annotations"] |= {f"volcano.sh/bind-{number}": "x" * 100 for number in range(_LARGE)}
    elif how == 2:
        whole["metadata"]["annotations"][made.LIMITS] = "[" * 100_000
    kind = {"group": "", "version": "v1", "kind": "Pod"}
    review["request"] |= {"kind": kind, "operation": "CREATE", "object": whole, "oldObject": None, "subResource": ""}
    return json.dumps(review).encode()
