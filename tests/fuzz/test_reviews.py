"""A short form of the reviews of `make fuzz`: they are what they claim to be, and what is wrong about an answer is noticed."""

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from bench.fuzz import served
from bench.fuzz.exchange import _wrong
from bench.fuzz.outcome import Effort
from bench.fuzz.reviews import Sent, reviews
from bench.soak.run import one_server


def test_reviews_of_every_kind_are_answered(tmp_path: Path) -> None:
    kept: list[str] = []
    with one_server(tmp_path / "server", {}) as (server, context):
        results = served.fuzz(server, context, Effort(0, 1500, seed=7), lambda name, _: kept.append(name))
    assert [result.line() for result in results if not result.good] == []
    assert kept == []


def test_the_same_seed_gives_the_same_reviews() -> None:
    first, again, other = (list(islice(reviews(seed), 60)) for seed in (3, 3, 4))
    assert first == again != other


def test_most_must_be_answered_and_many_are_no_reviews_at_all() -> None:
    sample = list(islice(reviews(5), 1000))
    certain = [sent for sent in sample if sent.uid is not None]
    assert 600 < len(certain) < 900
    assert [json.loads(sent.body)["request"]["uid"] for sent in certain] == [sent.uid for sent in certain]
    assert len({sent.path for sent in sample}) == 4
    assert sum(b"volcano.sh/gpu-" in sent.body or b"aliyun.com/gpu" in sent.body or b"mgpu" in sent.body for sent in sample) > 500


ALLOWED: dict[str, Any] = {"response": {"uid": "u", "allowed": True}}
DENIED: dict[str, Any] = {"response": {"uid": "u", "allowed": False, "status": {"details": {"causes": [{}]}}}}
BODY = b'{"request": {"uid": "u"}}'


@pytest.mark.parametrize(
    ("uid", "path", "status", "answer", "wrong"),
    [
        pytest.param("u", "/mutate", 200, ALLOWED, "", id="a right answer"),
        pytest.param("u", "/validate", 200, DENIED, "", id="a denial where there may be one"),
        pytest.param(None, "/mutate", 400, {"error": "x"}, "", id="a refusal of what need not be answered"),
        pytest.param(None, "/mutate", 200, ALLOWED, "", id="an answer to what need not be answered"),
        pytest.param("v", "/mutate", 200, ALLOWED, "the uid 'u' for 'v'", id="another uid"),
        pytest.param(None, "/mutate", 200, {"response": {"uid": "w", "allowed": True}}, "the uid 'w' for 'u'", id="a uid of nobody"),
        pytest.param("u", "/mutate", 400, {"error": "x"}, "HTTP 400 for a review that can be answered: x", id="a refusal of a good review"),
        pytest.param("u", "/mutate", 500, {"error": "x"}, "HTTP 500", id="a fault"),
        pytest.param(None, "/mutate", 503, {"error": "x"}, "HTTP 503", id="overload"),
        pytest.param("u", "/mutate", 200, DENIED, "a denial at /mutate, or one without causes", id="a denial where there is none"),
        pytest.param("u", "/mutate", 200, {"response": {"uid": "u"}}, "no answer of an admission webhook", id="neither yes nor no"),
    ],
)
def test_what_is_wrong_about_an_answer_is_noticed(uid: str | None, path: str, status: int, answer: Any, wrong: str) -> None:
    assert _wrong(Sent(path, BODY, uid), status, json.dumps(answer).encode()) == wrong


def test_an_answer_that_is_no_json_is_noticed() -> None:
    assert _wrong(Sent("/mutate", BODY, "u"), 200, b"<html>") == "HTTP 200 without JSON"
