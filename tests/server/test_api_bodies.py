"""Bodies for the API that could be read and not answered, and what its own description says of them."""

import json
from typing import Any

import pytest

from tests.server.process import Server, review_bytes


def _post(server: Server, path: str, body: Any) -> tuple[int, Any]:
    status, answer = server.call(path, json.dumps(body).encode())
    return status, json.loads(answer)


def _object(name: str) -> Any:
    return json.loads(review_bytes(name))["request"]["object"]


@pytest.mark.parametrize(
    ("image", "said"),
    [
        pytest.param('"\\ud800"', "must be text in Unicode", id="half a character"),
        pytest.param('"\\udfff\\ud800"', "must be text in Unicode", id="the halves of one in the wrong order"),
        pytest.param("NaN", "must be JSON", id="not a number"),
        pytest.param("1e999", "must be JSON", id="a number beyond any"),
        pytest.param("[" * 300 + "]" * 300, "must not be nested deeper than 200 levels", id="lists within lists"),
    ],
)
@pytest.mark.parametrize("path", ["/v1/check", "/v1/explain", "/v1/convert"])
def test_what_no_answer_could_repeat_is_refused_rather_than_failed_on(server: Server, path: str, image: str, said: str) -> None:
    pod = _object("pod-create-volcengine-mutate")
    pod["spec"]["containers"][0]["image"] = "@"
    body = {"objects": [pod]} | ({"to": "hami"} if path == "/v1/convert" else {})
    status, answer = server.call(path, json.dumps(body).replace('"@"', image).encode())
    assert (status, json.loads(answer)["error"].partition(": ")[0]) == (422, "body.objects")
    assert said in json.loads(answer)["error"]


@pytest.mark.parametrize("value", [0, 1, "true", None, "no"])
def test_what_is_no_boolean_is_not_taken_for_one(server: Server, value: Any) -> None:
    status, answer = _post(server, "/v1/convert", {"objects": [], "to": "hami", "allowLoss": value})
    assert (status, answer["error"].partition(":")[0]) == (422, "body.allowLoss")


def test_a_whole_pair_of_surrogates_is_a_character_like_any_other(server: Server) -> None:
    assert _post(server, "/v1/check", {"objects": [_object("pod-create-plain") | {"note": "\U0001f600"}]})[0] == 200


def test_its_description_names_the_dialects_that_can_be_written(server: Server) -> None:
    (wish,) = (
        shape
        for shape in json.loads(server.call("/openapi.json", None, {}, "GET")[1])["components"]["schemas"].values()
        if "to" in shape.get("properties", {})
    )
    named = wish["properties"]["to"]["enum"]
    assert {"alibaba", "hami", "huawei", "volcengine"} < set(named)
    assert [name for name in named if _post(server, "/v1/convert", {"objects": [], "to": name})[0] != 200] == []
